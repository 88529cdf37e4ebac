package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which task an index plays: the same whenever it is asked for, whatever was lost. */
class CatalogueTest {
    private static final int FIRST = 5;
    private static final int SECOND = 3;

    private final List<Admission> journal = new ArrayList<>();
    private final TreeMap<Long, String> played = new TreeMap<>();
    private AdmissionBook book = new AdmissionBook(endless(), new AdmissionState());
    private int minted;
    private long next;

    private void begin() {
        tellFirst();
        book.policy(Samples.published(1, 0, false));
        admit();
    }

    private void tellFirst() {
        book.catalogue(new CatalogueStart(0, 0, "one", "held", FIRST, 0));
        for (int i = 0; i < FIRST; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
    }

    /** Other tasks, one of them under an id that the first have too. */
    private void tellSecond(long from) {
        book.catalogue(new CatalogueStart(1, from, "two", "held", SECOND, 4));
        for (int i = 0; i < SECOND; i++) {
            book.task(Samples.task(i == 0 ? "t0" : "n" + i, Split.TRAIN));
        }
    }

    private void admit() {
        for (Admission admission : book.admit(() -> "adm-" + minted++)) {
            journal.add(admission);
            played.put(admission.groupIndex(), admission.task().taskId());
            book.admitted(admission);
        }
    }

    private void playUntil(long index) {
        while (next < index) {
            close(next++);
            admit();
        }
    }

    private void close(long index) {
        journal.stream()
                .filter(admission -> admission.groupIndex() == index)
                .forEach(
                        admission ->
                                book.ended(
                                        StepEvent.of(
                                                "rollout",
                                                "r0",
                                                admission.attemptId(),
                                                admission.admissionId(),
                                                "x",
                                                StepEvent.Kind.CAPTURED,
                                                0)));
        book.closed(Samples.group(index, Samples.policy(1, 0), 1, 1));
    }

    private void restore(BookEntries from) {
        book = new AdmissionBook(endless(), from.read());
    }

    private BookEntries kept() {
        BookEntries entries = new BookEntries();
        entries.write(book.state());
        return entries;
    }

    private List<String> tasks(long from, int count) {
        return new ArrayList<>(played.subMap(from, from + count).values());
    }

    private static List<String> orderOfANewRun() {
        CatalogueTest fresh = new CatalogueTest();
        fresh.book = new AdmissionBook(endless(), new AdmissionState());
        fresh.tellSecond(0);
        fresh.book.policy(Samples.published(1, 0, false));
        fresh.admit();
        fresh.playUntil(2);
        return fresh.tasks(0, 2 * SECOND);
    }

    /** Groups of 2, batches of 2, lag 1: four groups are open at a time. */
    private static AdmissionSettings endless() {
        return new AdmissionSettings(
                Samples.RUN,
                42,
                2,
                2,
                100,
                1,
                0,
                100,
                2,
                0,
                2,
                1,
                Samples.budget(),
                List.of("r0"),
                false);
    }

    @Test
    void everyPassPlaysEachTaskOnce() {
        begin();
        playUntil(9);
        assertThat(tasks(0, FIRST)).doesNotHaveDuplicates().hasSize(FIRST);
        assertThat(tasks(FIRST, FIRST)).doesNotHaveDuplicates().hasSize(FIRST);
    }

    @Test
    void otherTasksBeginAtTheirIndexWithTheOrderOfANewRun() {
        begin();
        playUntil(3);
        long from = played.lastKey() + 1;
        assertThat(from).isEqualTo(7);
        String lastOfTheFirst = played.get(from - 1);
        BookEntries entries = kept();
        restore(entries);
        tellSecond(from);
        playUntil(9);
        assertThat(played.get(from - 1)).isEqualTo(lastOfTheFirst);
        assertThat(tasks(from, 2 * SECOND)).isEqualTo(orderOfANewRun());
        assertThat(book.rejectedRows()).isEqualTo(4);
    }

    @Test
    void whatWasGivenOutButNotJournaledIsPlayedAsItWas() {
        begin();
        playUntil(3);
        BookEntries entries = kept();
        long journaled = played.lastKey() - 1;
        String open = played.get(played.lastKey());
        restore(entries);
        tellSecond(journaled);
        playUntil(9);
        assertThat(played).containsEntry(journaled + 1, open);
        assertThat(tasks(journaled + 2, 2 * SECOND)).isEqualTo(orderOfANewRun());
    }

    @Test
    void aRestoreFromBeforeOtherTasksCameLeavesTheirOrderAsItWas() {
        begin();
        playUntil(3);
        long from = played.lastKey() + 1;
        BookEntries before = kept();
        restore(before.copy());
        tellSecond(from);
        playUntil(9);
        TreeMap<Long, String> undisturbed = new TreeMap<>(played);
        Set<Long> known = new HashSet<>(played.keySet());
        for (boolean tasksFirst : new boolean[] {true, false}) {
            restore(before.copy());
            if (tasksFirst) {
                tellSecond(from);
            }
            List.copyOf(journal).forEach(book::admitted);
            for (long index = 3; index < 9; index++) {
                close(index);
            }
            if (!tasksFirst) {
                tellSecond(from);
            }
            admit();
            assertThat(played.keySet()).isEqualTo(known);
            assertThat(played).isEqualTo(undisturbed);
        }
        playUntil(12);
        assertThat(tasks(from, SECOND)).doesNotHaveDuplicates();
        assertThat(tasks(from + SECOND, SECOND)).doesNotHaveDuplicates().hasSize(SECOND);
        assertThat(tasks(from + 2 * SECOND, SECOND)).doesNotHaveDuplicates().hasSize(SECOND);
    }

    @Test
    void aCatalogueThatIsHeardTwiceCountsOnce() {
        begin();
        playUntil(3);
        long from = played.lastKey() + 1;
        BookEntries entries = kept();
        restore(entries);
        tellSecond(from);
        tellSecond(from);
        entries.write(book.state());
        restore(entries);
        tellSecond(from);
        playUntil(9);
        assertThat(tasks(from, 2 * SECOND)).isEqualTo(orderOfANewRun());
    }

    @Test
    void tasksThatCameWithoutAWordAreTheFirst() {
        for (int i = 0; i < FIRST; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
        book.policy(Samples.published(1, 0, false));
        admit();
        playUntil(3);
        restore(kept());
        tellSecond(7);
        playUntil(9);
        assertThat(tasks(0, FIRST)).doesNotHaveDuplicates().hasSize(FIRST);
        assertThat(tasks(7, 2 * SECOND)).isEqualTo(orderOfANewRun());
    }
}
