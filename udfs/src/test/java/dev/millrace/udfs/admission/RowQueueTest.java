package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows of a topic are played once, in the order in which they arrived. */
class RowQueueTest {
    private static final int AHEAD = 8;

    /** Groups of 2, batches of 2, lag 1: four groups are open at a time. */
    private static final AdmissionSettings SETTINGS =
            new AdmissionSettings(
                            Samples.RUN,
                            42,
                            2,
                            2,
                            1000,
                            1,
                            0,
                            100,
                            2,
                            0,
                            2,
                            1,
                            Samples.budget(),
                            List.of("r0"),
                            false)
                    .withRows(AHEAD);

    private final List<Admission> journal = new ArrayList<>();
    private final TreeMap<Long, String> played = new TreeMap<>();
    private final BookEntries entries = new BookEntries();
    private AdmissionBook book = new AdmissionBook(SETTINGS, new AdmissionState());
    private int minted;

    private void begin() {
        book.catalogue(new CatalogueStart(0, 0, "none", "held", 0, 0));
        book.policy(Samples.published(1, 0, false));
    }

    private void row(int partition, long offset) {
        String id = "p" + partition + "o" + offset;
        RowPosition at = new RowPosition(partition, offset);
        book.row(at, Optional.of(Samples.task(id, Split.TRAIN)));
    }

    private void rows(int partition, long from, long to) {
        for (long offset = from; offset < to; offset++) {
            row(partition, offset);
        }
    }

    private void admit() {
        for (Admission admission : book.admit(() -> "adm-" + minted++)) {
            journal.add(admission);
            played.put(admission.groupIndex(), admission.task().taskId());
        }
    }

    private void journalAll() {
        journal.forEach(book::admitted);
    }

    private void close(long index) {
        journal.stream()
                .filter(admission -> admission.groupIndex() == index)
                .forEach(each -> book.ended(captured(each)));
        book.closed(Samples.group(index, Samples.policy(1, 0), 1, 1));
    }

    private static StepEvent captured(Admission admission) {
        return StepEvent.of(
                "rollout",
                admission.route(),
                admission.attemptId(),
                admission.admissionId(),
                "x",
                StepEvent.Kind.CAPTURED,
                0);
    }

    private void restore() {
        book = new AdmissionBook(SETTINGS, entries.read());
    }

    private int keep() {
        return entries.write(book.state());
    }

    private List<RowPosition> limits() {
        return book.rowDemand().map(RowDemand::limits).orElseThrow();
    }

    @Test
    void waitsWithoutRowsAndPlaysThemAsTheyArrive() {
        begin();
        admit();
        assertThat(played).isEmpty();
        assertThat(book.waitsForRows()).isTrue();
        assertThat(book.starved()).isFalse();
        assertThat(book.exhausted()).isFalse();
        row(1, 7);
        row(0, 3);
        admit();
        assertThat(played.values()).containsExactly("p1o7", "p0o3");
        assertThat(book.waitsForRows()).as("two more groups could begin").isTrue();
        rows(0, 4, 9);
        admit();
        assertThat(played.values()).containsExactly("p1o7", "p0o3", "p0o4", "p0o5");
        assertThat(book.waitsForRows()).isFalse();
        assertThat(book.waitingRows()).isEqualTo(3);
    }

    @Test
    void whatIsNoTaskTakesNoPlaceAndIsCounted() {
        begin();
        row(0, 0);
        book.row(new RowPosition(0, 1), Optional.empty());
        row(0, 2);
        admit();
        assertThat(played.values()).containsExactly("p0o0", "p0o2");
        assertThat(book.rejectedRows()).isEqualTo(1);
    }

    @Test
    void theSameTaskInTwoRowsIsPlayedTwice() {
        begin();
        book.row(new RowPosition(0, 0), Optional.of(Samples.task("t", Split.TRAIN)));
        book.row(new RowPosition(0, 1), Optional.of(Samples.task("t", Split.TRAIN)));
        admit();
        assertThat(played.values()).containsExactly("t", "t");
    }

    @Test
    void theOrderOfArrivalOutlivesARestore() {
        begin();
        row(1, 0);
        row(0, 0);
        row(1, 1);
        rows(0, 1, 5);
        admit();
        journalAll();
        keep();
        restore();
        row(1, 0);
        for (long index = 0; index < 3; index++) {
            close(index);
        }
        admit();
        assertThat(played.values())
                .as("groups 4 to 6 play what had arrived")
                .containsExactly("p1o0", "p0o0", "p1o1", "p0o1", "p0o2", "p0o3", "p0o4");
    }

    @Test
    void whatTheJournalSaysWasPlayedIsLeftOutWhereverTheRestoreFindsIt() {
        begin();
        row(0, 0);
        row(1, 0);
        keep();
        rows(1, 1, 3);
        admit();
        assertThat(played.values()).containsExactly("p0o0", "p1o0", "p1o1", "p1o2");
        restore();
        // Two of the four had arrived, and the partitions come in another order now.
        journalAll();
        rows(0, 1, 3);
        rows(1, 1, 4);
        for (long index = 0; index < 4; index++) {
            close(index);
        }
        admit();
        assertThat(played.tailMap(4L).values()).containsExactly("p0o1", "p0o2", "p1o3");
    }

    @Test
    void aRowOfAGroupThatHasLeftIsNotPlayedAgain() {
        begin();
        keep();
        row(0, 0);
        admit();
        restore();
        // Its closure is heard first: the group leaves the book before the journal names its row.
        book.closed(Samples.group(0, Samples.policy(1, 0), 1, 1));
        journalAll();
        rows(0, 0, 2);
        admit();
        assertThat(played).containsEntry(1L, "p0o1").hasSize(2);
    }

    @Test
    void asksForSoManyRowsThatItsQueueStaysShort() {
        begin();
        assertThat(book.rowDemand().orElseThrow()).isEqualTo(new RowDemand(List.of(), AHEAD));
        assertThat(book.rowDemand()).as("it was said").isEmpty();
        rows(0, 100, 108);
        assertThat(limits()).containsExactly(new RowPosition(0, 108));
        admit();
        assertThat(limits()).as("four are played").containsExactly(new RowPosition(0, 112));
        rows(0, 108, 112);
        close(0);
        admit();
        assertThat(book.rowDemand()).as("one more is not worth a record").isEmpty();
        keep();
        restore();
        assertThat(limits()).as("said anew").containsExactly(new RowPosition(0, 113));
    }

    @Test
    void whatWasPlayedLeavesNothingInTheState() {
        begin();
        rows(0, 0, 4);
        admit();
        journalAll();
        keep();
        long next = 4;
        for (long index = 0; index < 400; index++) {
            close(index);
            row(0, next++);
            admit();
            journalAll();
            journal.removeIf(admission -> admission.groupIndex() + 4 < played.lastKey());
        }
        keep();
        AdmissionState state = entries.read();
        assertThat(state.rows).isEmpty();
        assertThat(state.trainTasks).isEmpty();
        assertThat(state.groups).hasSizeLessThan(8);
        assertThat(state.rowCursors.get(0).played).isEmpty();
        assertThat(played.values()).doesNotHaveDuplicates().hasSize(404);
    }
}
