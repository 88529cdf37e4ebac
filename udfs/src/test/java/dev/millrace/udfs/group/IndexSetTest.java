package dev.millrace.udfs.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class IndexSetTest {
    @Property
    void behavesLikeASetAndSurvivesBeingKept(
            @ForAll List<@LongRange(min = 0, max = 40) Long> indexes) {
        IndexSet set = new IndexSet();
        Set<Long> model = new HashSet<>();
        for (long index : indexes) {
            assertThat(set.add(index)).isEqualTo(model.add(index));
            set = new IndexSet(set.state());
        }
        assertThat(set.size()).isEqualTo(model.size());
    }

    @Test
    void needsNoRoomForWhatIsComplete() {
        IndexSet set = new IndexSet();
        for (long index : new long[] {2, 1, 5, 0}) {
            set.add(index);
        }
        assertThat(set.state()).isEqualTo(new IndexSet.State(3, List.of(5L)));
    }
}
