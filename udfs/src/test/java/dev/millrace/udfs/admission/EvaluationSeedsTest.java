package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvaluationSeedsTest {
    @Test
    void allRoundsOfEvaluationDrawAlike() {
        List<Admission> first = admitted(0, false);
        List<Admission> last = admitted(3, true);
        assertThat(seeds(last, "run/eval-3/0"))
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .isEqualTo(seeds(first, "run/eval-0/0"))
                .isNotEqualTo(seeds(last, "run/eval-3/1"));
    }

    private static List<Admission> admitted(long step, boolean isLast) {
        AdmissionBook book = Books.of(100, 2);
        book.policy(Samples.published(1, step, isLast));
        return book.admit(() -> "admission");
    }

    private static List<Long> seeds(List<Admission> admitted, String groupId) {
        return admitted.stream()
                .filter(a -> a.groupId().equals(groupId))
                .map(Admission::seed)
                .toList();
    }
}
