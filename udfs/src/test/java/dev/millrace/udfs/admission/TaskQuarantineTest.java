package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tasks whose verifiers give no verdict: groups of 2 attempts, 5 tasks, closed after 4 failures.
 */
class TaskQuarantineTest {
    private static final AdmissionSettings SETTINGS =
            Books.settings(100, 0).withQuarantine(4, 1_000);
    private static final Failure SILENT =
            new Failure(FailureClass.VERIFIER, "reward_missing", "no file");
    private static final String BROKEN = "t3";

    private final BookEntries kept = new BookEntries();
    private final Map<String, GroupRecord> closures = new TreeMap<>();
    private final Map<String, Long> played = new TreeMap<>();
    private AdmissionBook book = new AdmissionBook(SETTINGS, new AdmissionState());
    private long now = 1;
    private int minted;

    @BeforeEach
    void catalogue() {
        for (int i = 0; i < 5; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
        book.policy(Samples.published(1, 0, false));
    }

    /** One round of the loop: what is admitted is played, what is refused is written; heard. */
    private void turn(Predicate<Task> broken) {
        book.at(now);
        Map<String, List<Admission>> groups =
                book.admit(() -> "adm-" + minted++).stream()
                        .collect(Collectors.groupingBy(Admission::groupId));
        List<GroupRecord> closed = new ArrayList<>(book.takeRefused());
        groups.values().forEach(attempts -> closed.add(group(attempts.get(0), broken)));
        groups.values()
                .forEach(attempts -> played.merge(attempts.get(0).task().taskId(), 1L, Long::sum));
        for (GroupRecord group : closed) {
            assertThat(closures.put(group.groupId(), group)).as("closed once").isNull();
            book.closed(group);
            if (group.verdict().trains()) {
                book.progress(dropped(group));
            }
        }
        kept.write(book.state());
    }

    /** So that the next one may begin. */
    private static ProgressRecord dropped(GroupRecord group) {
        return new ProgressRecord(
                Samples.RUN,
                ProgressRecord.Kind.DROPPED,
                "learn",
                1,
                group.groupId(),
                group.groupIndex(),
                0,
                "surplus");
    }

    private static GroupRecord group(Admission first, Predicate<Task> broken) {
        boolean silent = broken.test(first.task());
        List<AttemptSummary> attempts =
                IntStream.range(0, first.groupSize())
                        .mapToObj(i -> attempt(first, i, silent ? SILENT : null))
                        .toList();
        return new GroupRecord(
                first.runId(),
                false,
                first.lane(),
                first.groupId(),
                first.groupIndex(),
                first.admissionId(),
                first.task(),
                first.policy(),
                "",
                false,
                silent ? Verdict.FAILED : Verdict.MIXED,
                silent ? "too_few_valid" : "",
                0,
                attempts);
    }

    private static AttemptSummary attempt(Admission first, int index, Failure failure) {
        AttemptSummary usual =
                Samples.attempt(
                        first.groupId(), index, failure == null, 0, first.policy().version());
        return new AttemptSummary(
                usual.attemptId(),
                index,
                usual.outcome(),
                usual.valid(),
                0,
                failure,
                List.of(),
                usual.trajectory(),
                1,
                10,
                20,
                usual.oldestVersion(),
                1,
                1,
                1);
    }

    private static boolean broken(Task task) {
        return task.taskId().equals(BROKEN);
    }

    private List<GroupRecord> refused() {
        return closures.values().stream()
                .filter(group -> group.cause().equals(Failure.TASK_QUARANTINED))
                .toList();
    }

    @Test
    void afterSoManyGradingsWithoutAVerdictNoGroupOfTheTaskBegins() {
        for (int i = 0; i < 12; i++) {
            turn(TaskQuarantineTest::broken);
        }
        assertThat(played.get(BROKEN)).as("2 groups of 2 attempts").isBetween(2L, 3L);
        assertThat(played.get("t0")).isGreaterThan(6);
        assertThat(book.tasksQuarantined()).isEqualTo(1);
        assertThat(refused())
                .isNotEmpty()
                .allSatisfy(
                        group -> {
                            assertThat(group.task().taskId()).isEqualTo(BROKEN);
                            assertThat(group.verdict()).isEqualTo(Verdict.FAILED);
                            assertThat(group.attempts()).isEmpty();
                            assertThat(group.lane()).isEqualTo(Lane.TRAIN);
                        });
        assertThat(book.accounts().dropped())
                .containsEntry(Failure.TASK_QUARANTINED, (long) refused().size());
        assertThat(book.accounts().offered())
                .as("every index is answered")
                .isEqualTo(closures.size());
    }

    @Test
    void theOrderOfTasksIsTheSameAsWithoutAQuarantine() {
        for (int i = 0; i < 8; i++) {
            turn(TaskQuarantineTest::broken);
        }
        AdmissionBook other = Books.of(100, 0);
        other.policy(Samples.published(1, 0, false));
        Map<Long, String> order = new TreeMap<>();
        while (order.size() < closures.size()) {
            List<Admission> admitted = other.admit(() -> "other-" + minted++);
            admitted.forEach(a -> order.put(a.groupIndex(), a.task().taskId()));
            admitted.stream()
                    .filter(a -> a.attemptIndex() == 0)
                    .map(a -> group(a, task -> false))
                    .forEach(
                            group -> {
                                other.closed(group);
                                other.progress(dropped(group));
                            });
        }
        assertThat(refused()).isNotEmpty();
        closures.values()
                .forEach(
                        group ->
                                assertThat(group.task().taskId())
                                        .isEqualTo(order.get(group.groupIndex())));
    }

    @Test
    void aTaskThatIsMendedIsPlayedAgainWhenItsTimeIsOver() {
        for (int i = 0; i < 8; i++) {
            turn(TaskQuarantineTest::broken);
        }
        long before = played.get(BROKEN);
        now += 1_000;
        for (int i = 0; i < 8; i++) {
            turn(task -> false);
        }
        assertThat(played.get(BROKEN)).isGreaterThan(before + 3);
        assertThat(book.tasksQuarantined()).isZero();
        assertThat(book.state().taskFailures).isEmpty();
    }

    @Test
    void aTaskThatIsNotMendedIsClosedAgainAfterOneGroup() {
        for (int i = 0; i < 8; i++) {
            turn(TaskQuarantineTest::broken);
        }
        long before = played.get(BROKEN);
        now += 1_000;
        for (int i = 0; i < 12; i++) {
            turn(TaskQuarantineTest::broken);
        }
        assertThat(played.get(BROKEN)).isBetween(before + 1, before + 2);
        assertThat(book.tasksQuarantined()).isEqualTo(1);
    }

    @Test
    void itIsKeptAcrossARestart() {
        for (int i = 0; i < 8; i++) {
            turn(TaskQuarantineTest::broken);
        }
        long before = played.get(BROKEN);
        book = new AdmissionBook(SETTINGS, kept.read());
        for (int i = 0; i < 8; i++) {
            turn(TaskQuarantineTest::broken);
        }
        assertThat(played.get(BROKEN)).isEqualTo(before);
    }

    @Test
    void oneVerdictBetweenFailuresForgetsThem() {
        int[] groups = {0};
        for (int i = 0; i < 16; i++) {
            turn(task -> broken(task) && groups[0]++ % 2 == 0);
        }
        assertThat(refused()).isEmpty();
        assertThat(played.get(BROKEN)).isGreaterThan(6);
    }

    @Test
    void aRunAllOfWhoseTasksAreClosedPlaysThemSoThatItDoesNotStandStill() {
        book = new AdmissionBook(SETTINGS.withQuarantine(2, 1_000), kept.read());
        catalogue();
        for (int i = 0; i < 6; i++) {
            turn(task -> true);
        }
        assertThat(book.tasksQuarantined()).isEqualTo(5);
        assertThat(played.values().stream().mapToLong(groups -> groups).sum()).isGreaterThan(5);
        assertThat(book.endsEarly()).as("it ends as it would have").isEqualTo(GroupRecord.STARVED);
    }

    @Test
    void groupsThatAreNotPlayedStarveNobody() {
        book = new AdmissionBook(SETTINGS.withQuarantine(1, 1_000), kept.read());
        catalogue();
        for (int i = 0; i < 40; i++) {
            turn(task -> !task.taskId().equals("t0"));
        }
        assertThat(refused()).hasSizeGreaterThan(5 * Books.STARVATION_LIMIT);
        assertThat(book.endsEarly()).isEmpty();
    }
}
