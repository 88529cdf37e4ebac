package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Two runs of groups of 2 that share 8 slots. */
class SharedSlotsTest {
    private static final int SLOTS = 8;
    private final AdmissionBook first = book("a");
    private final AdmissionBook second = book("b");
    private final SharedSlots slots =
            new SharedSlots(SLOTS, List.of(first, second), List.of(1.0, 1.0));
    private int minted;
    private long now;

    private static AdmissionBook book(String run) {
        AdmissionSettings settings =
                new AdmissionSettings(
                        run,
                        42,
                        2,
                        4,
                        3,
                        1,
                        0,
                        SLOTS,
                        2,
                        0,
                        2,
                        1,
                        Samples.budget(),
                        List.of("r0", "r1", "r2", "r3"),
                        false);
        AdmissionBook book = new AdmissionBook(settings, new AdmissionState());
        for (int i = 0; i < 5; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
        return book;
    }

    private void publish(AdmissionBook book, String run) {
        PolicyRecord any = Samples.published(1, 0, false);
        book.policy(
                new PolicyRecord(
                        run, any.kind(), 1, 0, 0, any.nonce(), any.uri(), false, any.metrics()));
        slots.changed(book);
    }

    private List<Admission> admit() {
        now += 1_000;
        return slots.admit(() -> "adm-" + minted++, now);
    }

    private static Map<String, Long> byRun(List<Admission> admissions) {
        return admissions.stream()
                .collect(Collectors.groupingBy(Admission::runId, Collectors.counting()));
    }

    private void end(AdmissionBook book, Admission attempt) {
        book.ended(
                StepEvent.of(
                        "rollout",
                        attempt.route(),
                        Admission.attemptId(attempt.groupId(), attempt.attemptIndex()),
                        attempt.admissionId(),
                        "capture",
                        StepEvent.Kind.CAPTURED,
                        1));
        slots.changed(book);
    }

    @Test
    void runsThatBeginTogetherHaveHalfEach() {
        publish(first, "a");
        publish(second, "b");
        List<Admission> admitted = admit();
        assertThat(byRun(admitted)).isEqualTo(Map.of("a", 4L, "b", 4L));
        assertThat(admitted.stream().collect(Collectors.groupingBy(Admission::route)).values())
                .as("the routes are the least loaded ones of all runs together")
                .allSatisfy(ofRoute -> assertThat(ofRoute).hasSize(2));
    }

    @Test
    void whoBeginsFirstLeavesTheOtherItsShare() {
        publish(first, "a");
        assertThat(byRun(admit())).isEqualTo(Map.of("a", 4L));
        publish(second, "b");
        assertThat(byRun(admit())).isEqualTo(Map.of("b", 4L));
    }

    @Test
    void whoIsNotThereForTwoMinutesHasNothingKeptForIt() {
        publish(first, "a");
        List<Admission> share = admit();
        now += 120_000;
        end(first, share.get(0));
        assertThat(byRun(admit())).isEqualTo(Map.of("a", 6L));
    }

    @Test
    void nothingIsKeptForARunWhoseTrainerFailedBeforeItBegan() {
        second.policy(PolicyRecord.failed("b", 1, 0, 0, "n", "never"));
        slots.changed(second);
        publish(first, "a");
        assertThat(byRun(admit())).isEqualTo(Map.of("a", 8L));
    }

    @Test
    void aRunThatIsAloneHasAllSlotsAndGivesThemUpAsTheyComeFree() {
        publish(first, "a");
        List<Admission> alone = new ArrayList<>(admit());
        now += 120_000;
        alone.addAll(admit());
        assertThat(byRun(alone)).isEqualTo(Map.of("a", 8L));
        publish(second, "b");
        assertThat(admit()).isEmpty();
        end(first, alone.get(0));
        end(first, alone.get(1));
        assertThat(byRun(admit())).isEqualTo(Map.of("b", 2L));
    }

    @Test
    void aRunWhoseTrainerFailedLeavesItsSlotsToTheOther() {
        publish(first, "a");
        publish(second, "b");
        List<Admission> admitted = admit();
        first.policy(PolicyRecord.failed("a", 1, 0, 0, "n", "no more"));
        admitted.stream().filter(a -> a.runId().equals("a")).forEach(a -> end(first, a));
        assertThat(byRun(admit())).isEqualTo(Map.of("b", 4L));
        assertThat(first.endsEarly()).isEqualTo("trainer_failed");
        assertThat(first.newest()).isEqualTo(new PolicyVersion(1, 0));
    }

    @Test
    void aBookThatNothingHappenedToIsNotAsked() {
        publish(first, "a");
        admit();
        second.policy(Samples.published(1, 0, false));
        assertThat(byRun(admit())).as("what the other left over").isEqualTo(Map.of("a", 4L));
    }
}
