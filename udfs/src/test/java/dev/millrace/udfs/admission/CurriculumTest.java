package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CurriculumTest {
    private static final int TASKS = 12;
    private static final int GROUPS = 8 * TASKS;

    /** The topics, in their order, as a restored book reads them again. */
    private final List<Admission> journal = new ArrayList<>();

    private final List<GroupRecord> closures = new ArrayList<>();
    private final TreeMap<Long, String> played = new TreeMap<>();
    private final TreeMap<Long, Admission> open = new TreeMap<>();
    private final PythonRandom chance = new PythonRandom(7);
    private AdmissionBook book = begun(true);
    private int minted;

    private static AdmissionBook begun(boolean curriculum) {
        AdmissionBook book = new AdmissionBook(settings(curriculum), new AdmissionState());
        book.catalogue(new CatalogueStart(0, 0, "rows", "held", TASKS, 0));
        for (int i = 0; i < TASKS; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
        book.policy(Samples.published(1, 0, false));
        return book;
    }

    /** Groups of 4, batches of 2, lag 1: four groups are open at a time. */
    private static AdmissionSettings settings(boolean curriculum) {
        return new AdmissionSettings(
                Samples.RUN,
                42,
                4,
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
                curriculum);
    }

    private void admit() {
        for (Admission admission : book.admit(() -> "adm-" + minted++)) {
            journal.add(admission);
            open.put(admission.groupIndex(), admission);
            played.put(admission.groupIndex(), admission.task().taskId());
            book.admitted(admission);
        }
    }

    /** Closes any of the open groups. */
    private void closeOne() {
        List<Long> indexes = List.copyOf(open.keySet());
        long index = indexes.get((int) (chance.random() * indexes.size()));
        GroupRecord group = dropped(open.remove(index));
        closures.add(group);
        hear(group);
    }

    private void hear(GroupRecord group) {
        for (Admission admission : journal) {
            if (admission.groupIndex() == group.groupIndex()) {
                book.ended(
                        StepEvent.of(
                                "rollout",
                                "r0",
                                admission.attemptId(),
                                admission.admissionId(),
                                "x",
                                StepEvent.Kind.CAPTURED,
                                0));
            }
        }
        book.closed(group);
    }

    /** Tasks 0 to 5 are always solved, the others half of the time; all are dropped as too few. */
    private static GroupRecord dropped(Admission admission) {
        int task = Integer.parseInt(admission.task().taskId().substring(1));
        double[] rewards = task < TASKS / 2 ? new double[] {1, 1, 1, 1} : new double[] {1, 0, 0, 1};
        GroupRecord closed = Samples.group(admission.groupIndex(), admission.policy(), rewards);
        GroupVerdict verdict = GroupVerdict.of(List.of(), 4, 4);
        return new GroupRecord(
                closed.runId(),
                false,
                closed.lane(),
                closed.groupId(),
                closed.groupIndex(),
                admission.admissionId(),
                admission.task(),
                closed.policy(),
                "",
                false,
                verdict.verdict(),
                verdict.cause(),
                0,
                closed.attempts());
    }

    private void play() {
        admit();
        while (played.size() < GROUPS) {
            closeOne();
            admit();
        }
    }

    private Map<String, Long> timesFrom(long index) {
        return played.tailMap(index).values().stream()
                .collect(Collectors.groupingBy(id -> id, Collectors.counting()));
    }

    @Test
    void tasksThatTeachArePlayedMoreOftenFromTheSecondPassOn() {
        play();
        assertThat(timesFrom(0).keySet()).hasSize(TASKS);
        assertThat(List.copyOf(played.headMap((long) TASKS).values())).doesNotHaveDuplicates();
        Map<String, Long> later = timesFrom(2L * TASKS);
        long solved = IntStream.range(0, 6).mapToLong(i -> later.getOrDefault("t" + i, 0L)).sum();
        long mixed = IntStream.range(6, 12).mapToLong(i -> later.getOrDefault("t" + i, 0L)).sum();
        assertThat(mixed).isGreaterThan(2 * solved);
        assertThat(solved).as("none is given up").isPositive();
    }

    @Test
    void withoutItEachPassIsAPermutation() {
        book = begun(false);
        play();
        for (long pass = 0; pass < 8; pass++) {
            List<String> tasks =
                    List.copyOf(played.subMap(pass * TASKS, (pass + 1) * TASKS).values());
            assertThat(tasks).hasSize(TASKS).doesNotHaveDuplicates();
        }
        assertThat(book.state().taskRates).isEmpty();
    }

    @Test
    void aRestoredBookDrawsTheSameHoweverMuchItHasHeardSince() {
        play();
        TreeMap<Long, String> undisturbed = new TreeMap<>(played);
        for (int everyClosures : new int[] {5, 17, 40}) {
            CurriculumTest again = new CurriculumTest();
            again.playWithRestores(everyClosures);
            assertThat(again.played).isEqualTo(undisturbed);
        }
    }

    /** Restores from the state of so many closures ago, and reads the topics from there. */
    private void playWithRestores(int every) {
        admit();
        BookEntries old = new BookEntries();
        old.write(book.state());
        int heard = 0;
        while (played.size() < GROUPS) {
            closeOne();
            if (closures.size() % every == 0) {
                book = new AdmissionBook(settings(true), old.read());
                List.copyOf(journal).forEach(book::admitted);
                closures.subList(heard, closures.size()).forEach(this::hear);
                old.write(book.state());
                heard = closures.size();
            }
            admit();
        }
    }

    @Test
    void whatWaitsToBeCountedIsNoMoreThanWhatMayBeOpen() {
        admit();
        while (played.size() < GROUPS) {
            closeOne();
            admit();
            assertThat(book.state().curriculum.waiting).hasSizeLessThanOrEqualTo(TASKS);
        }
        assertThat(book.state().taskRates).hasSize(TASKS);
    }

    @Test
    void turnedOnInAResumedRunItHoldsFromTheNextPassOn() {
        book = begun(false);
        admit();
        while (played.size() < TASKS + 6) {
            closeOne();
            admit();
        }
        BookEntries kept = new BookEntries();
        kept.write(book.state());
        book = new AdmissionBook(settings(true), kept.read());
        play();
        assertThat(List.copyOf(played.subMap(12L, 24L).values())).doesNotHaveDuplicates();
        Map<String, Long> later = timesFrom(5L * TASKS);
        assertThat(IntStream.range(6, 12).mapToLong(i -> later.getOrDefault("t" + i, 0L)).sum())
                .isGreaterThan(later.values().stream().mapToLong(n -> n).sum() / 2);
    }

    @Test
    void aTaskGetsItsShareOfThePlacesRoundedUpOrDown() {
        double[] weights = {1, 0.1, 0.5, 0.9, 0.1, 1, 0.4, 0.3};
        double total = Arrays.stream(weights).sum();
        int[] drawn = WeightedOrder.draw(new PythonRandom(3), weights);
        assertThat(drawn).hasSize(weights.length);
        for (int item = 0; item < weights.length; item++) {
            int wanted = item;
            long times = Arrays.stream(drawn).filter(i -> i == wanted).count();
            double share = weights[item] * weights.length / total;
            assertThat(times).isBetween((long) Math.floor(share), (long) Math.ceil(share));
        }
        assertThat(WeightedOrder.draw(new PythonRandom(3), new double[] {0.5, 0.5, 0.5}))
                .containsExactlyInAnyOrder(0, 1, 2);
        assertThat(WeightedOrder.draw(new PythonRandom(3), new double[] {})).isEmpty();
    }
}
