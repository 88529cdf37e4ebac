package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gate of two runs with two tasks each; a task is closed after 2 gradings without a verdict. */
class AdmissionGateQuarantineTest {
    private static final List<String> RUNS = List.of("one", "two");
    private static final Failure SILENT =
            new Failure(FailureClass.VERIFIER, "reward_missing", "no file");

    private final Set<String> closed = new HashSet<>();
    private GateHarness gate;

    @AfterEach
    void close() throws Exception {
        gate.close();
    }

    private static AdmissionSettings settings(String run) {
        return new AdmissionSettings(
                        run,
                        42,
                        2,
                        2,
                        100,
                        1,
                        0,
                        100,
                        2,
                        0,
                        1,
                        1,
                        Samples.budget(),
                        List.of("r0", "r1"),
                        false)
                .withQuarantine(2, 60_000);
    }

    private void open(OperatorSubtaskState state) throws Exception {
        gate =
                GateHarness.open(
                        RUNS.stream().map(run -> new RunShare(settings(run), 1)).toList(), state);
        gate.setProcessingTime(1_000);
    }

    private void begin() throws Exception {
        open(null);
        for (String run : RUNS) {
            for (String task : List.of("good", "bad")) {
                send("tasks", run, Samples.task(task, Split.TRAIN));
            }
            send(
                    "policies",
                    run,
                    new PolicyRecord(
                            run,
                            PolicyRecord.Kind.PUBLICATION,
                            1,
                            0,
                            0,
                            "n",
                            "w",
                            false,
                            Map.of()));
        }
        gate.caughtUp();
    }

    private void send(String topic, String key, Object value) throws Exception {
        gate.processElement(
                new StreamRecord<>(TopicRecord.data(topic, 0, 0, key, Wire.encode(value))));
    }

    /** Plays what is open and hears of what was refused, once. */
    private void turn() throws Exception {
        List<Admission> admitted =
                gate.extractOutputValues().stream()
                        .filter(attempt -> attempt.attemptIndex() == 0)
                        .filter(attempt -> closed.add(attempt.groupId()))
                        .toList();
        List<GroupRecord> refused =
                gate.marks().stream().filter(group -> closed.add(group.groupId())).toList();
        for (Admission first : admitted) {
            for (int i = 0; i < 2; i++) {
                Admission attempt = attempt(first, i);
                send("turns", attempt.route(), Samples.journaled(attempt));
                send("turns", attempt.route(), Samples.ended(attempt, StepEvent.Kind.CAPTURED));
            }
            send("groups", first.runId(), group(first));
        }
        for (GroupRecord group : refused) {
            send("groups", group.runId(), group);
        }
    }

    private Admission attempt(Admission first, int index) {
        return gate.extractOutputValues().stream()
                .filter(a -> a.groupId().equals(first.groupId()) && a.attemptIndex() == index)
                .findFirst()
                .orElseThrow();
    }

    /** The verifier of the task {@code bad} is broken in the run {@code one}. */
    private static boolean broken(Admission admission) {
        return admission.runId().equals("one") && admission.task().taskId().equals("bad");
    }

    private static GroupRecord group(Admission first) {
        Failure failure = broken(first) ? SILENT : null;
        List<AttemptSummary> attempts =
                IntStream.range(0, 2)
                        .mapToObj(
                                i ->
                                        new AttemptSummary(
                                                Admission.attemptId(first.groupId(), i),
                                                i,
                                                Outcome.SUBMITTED,
                                                failure == null,
                                                0,
                                                failure,
                                                List.of(),
                                                null,
                                                1,
                                                1,
                                                1,
                                                first.policy().version(),
                                                1,
                                                1,
                                                1))
                        .toList();
        return new GroupRecord(
                first.runId(),
                false,
                Lane.TRAIN,
                first.groupId(),
                first.groupIndex(),
                first.admissionId(),
                first.task(),
                first.policy(),
                "",
                false,
                failure == null ? Verdict.CONSTANT : Verdict.FAILED,
                failure == null ? "constant_reward" : "too_few_valid",
                0,
                attempts);
    }

    private List<String> played(String run, String task) {
        return gate.extractOutputValues().stream()
                .filter(a -> a.runId().equals(run) && a.task().taskId().equals(task))
                .map(Admission::groupId)
                .distinct()
                .toList();
    }

    @Test
    void everyGroupIsPlayedOrRefusedOnceAndTheOtherRunPlaysOn() throws Exception {
        begin();
        for (int i = 0; i < 8; i++) {
            turn();
        }
        List<String> refused = gate.marks().stream().map(GroupRecord::groupId).toList();
        List<String> all = new ArrayList<>(refused);
        all.addAll(gate.groups());
        assertThat(all).doesNotHaveDuplicates();
        assertThat(refused).isNotEmpty().allMatch(id -> id.startsWith("one/"));
        assertThat(gate.rejects()).extracting(Reject::reason).containsOnly("task_quarantined");
        assertThat(gate.rejects()).hasSameSizeAs(refused);
        assertThat(gate.rejects()).extracting(Reject::key).containsOnly("file:/tasks/bad");
        assertThat(played("one", "bad")).hasSizeLessThan(4);
        assertThat(played("two", "bad")).hasSizeGreaterThan(8);
    }

    @Test
    void aClosedTaskStaysClosedAcrossARestartAndNothingIsSaidTwice() throws Exception {
        begin();
        for (int i = 0; i < 4; i++) {
            turn();
        }
        assertThat(gate.marks()).isNotEmpty();
        OperatorSubtaskState state = gate.snapshot(1, 1);
        List<GroupRecord> unheard =
                gate.marks().stream().filter(group -> !closed.contains(group.groupId())).toList();
        gate.close();
        open(state);
        for (GroupRecord group : unheard) {
            send("groups", group.runId(), group);
        }
        gate.caughtUp();
        for (int i = 0; i < 4; i++) {
            turn();
        }
        assertThat(played("one", "bad")).isEmpty();
        assertThat(gate.marks()).isNotEmpty().doesNotContainAnyElementsOf(unheard);
        assertThat(played("one", "good")).isNotEmpty();
    }
}
