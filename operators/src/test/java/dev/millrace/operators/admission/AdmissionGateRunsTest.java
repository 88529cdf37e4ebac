package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gate of three runs, of one step each, that share 12 slots. */
class AdmissionGateRunsTest {
    private static final List<String> RUNS = List.of("job-c1", "job-c2", "job-c3");
    private GateHarness gate;

    @AfterEach
    void close() throws Exception {
        gate.close();
    }

    private void open(OperatorSubtaskState state) throws Exception {
        gate =
                GateHarness.open(
                        RUNS.stream().map(run -> new RunShare(settings(run), 1)).toList(), state);
    }

    private static AdmissionSettings settings(String run) {
        return new AdmissionSettings(
                run,
                42,
                2,
                2,
                1,
                1,
                0,
                12,
                2,
                0,
                1,
                1,
                Samples.budget(),
                List.of("r0", "r1"),
                false);
    }

    private void begin() throws Exception {
        open(null);
        for (String run : RUNS) {
            send("tasks", run, Samples.task("t", Split.TRAIN));
            publish(run, 1, 0);
        }
        gate.caughtUp();
    }

    private void send(String topic, String key, Object value) throws Exception {
        TopicRecord record = TopicRecord.data(topic, 0, 0, key, Wire.encode(value));
        gate.processElement(new StreamRecord<>(record));
    }

    private void publish(String run, long epoch, long step) throws Exception {
        send(
                "policies",
                run,
                new PolicyRecord(
                        run,
                        PolicyRecord.Kind.PUBLICATION,
                        epoch,
                        step,
                        0,
                        "n",
                        "w",
                        step == 1,
                        Map.of()));
    }

    private List<Admission> attempts(String run) {
        return gate.extractOutputValues().stream().filter(a -> a.runId().equals(run)).toList();
    }

    private Map<String, Long> admitted() {
        return gate.extractOutputValues().stream()
                .collect(Collectors.groupingBy(Admission::runId, Collectors.counting()));
    }

    /** Plays all attempts of a run to their ends, and closes its groups. */
    private void play(String run) throws Exception {
        play(run, attempts(run));
    }

    private void play(String run, List<Admission> attempts) throws Exception {
        for (Admission attempt : attempts) {
            send("turns", attempt.route(), Samples.journaled(attempt));
            send("turns", attempt.route(), Samples.ended(attempt, StepEvent.Kind.CAPTURED));
        }
        for (long index : attempts.stream().mapToLong(Admission::groupIndex).distinct().toArray()) {
            send("groups", run, Samples.groupOf(run, index, Samples.policy(1, 0), 0, 1));
        }
    }

    private void passMark(String run) throws Exception {
        for (String source : List.of("learn", "ledger")) {
            send(
                    "progress",
                    run,
                    new ProgressRecord(run, ProgressRecord.Kind.DRAINED, source, 1, "", -1, 1, ""));
        }
    }

    private List<String> marks() {
        return gate.marks().stream().map(mark -> mark.runId() + " " + mark.cause()).toList();
    }

    @Test
    void everyRunHasItsShareAndItsOwnIndexes() throws Exception {
        begin();
        assertThat(admitted()).isEqualTo(Map.of("job-c1", 4L, "job-c2", 4L, "job-c3", 4L));
        for (String run : RUNS) {
            assertThat(attempts(run).stream().map(Admission::groupId).distinct())
                    .containsExactly(run + "/g0", run + "/g1");
        }
    }

    @Test
    void aRunThatFailedEndsAndTheOthersGoOn() throws Exception {
        begin();
        send("policies", RUNS.get(1), PolicyRecord.failed(RUNS.get(1), 1, 0, 0, "n", "NaN"));
        assertThat(marks()).as("its attempts are still open").isEmpty();
        play(RUNS.get(1));
        assertThat(marks()).containsExactly("job-c2 trainer_failed");
        publish(RUNS.get(0), 1, 1);
        play(RUNS.get(0));
        assertThat(marks()).containsExactly("job-c2 trainer_failed", "job-c1 ");
        assertThat(attempts(RUNS.get(2)).size()).as("slots of those that ended").isEqualTo(8);
    }

    @Test
    void topicsEndWhenAllRunsHaveEnded() throws Exception {
        begin();
        int before = RecordedMarkers.WRITTEN.get();
        for (String run : RUNS) {
            gate.snapshot(1, 1);
            gate.notifyOfCompletedCheckpoint(1);
            publish(run, 1, 1);
            play(run);
            passMark(run);
        }
        assertThat(marks()).hasSize(3);
        assertThat(RecordedMarkers.WRITTEN.get()).isEqualTo(before);
        gate.snapshot(2, 2);
        gate.notifyOfCompletedCheckpoint(2);
        await().until(() -> RecordedMarkers.WRITTEN.get() == before + 1);
    }

    @Test
    void aFailureIsTakenBackByATrainerThatComesBack() throws Exception {
        begin();
        String run = RUNS.get(0);
        send("policies", run, PolicyRecord.failed(run, 1, 0, 0, "n", "NaN"));
        play(run);
        assertThat(marks()).containsExactly("job-c1 trainer_failed");
        send(
                "policies",
                run,
                new PolicyRecord(
                        run, PolicyRecord.Kind.ANNOUNCE, 2, 0, 1, "m", "", false, Map.of()));
        publish(run, 2, 1);
        assertThat(marks()).containsExactly("job-c1 trainer_failed", "job-c1 ");
    }

    @Test
    void eachRunsStateComesBackUnderItsOwnKey() throws Exception {
        begin();
        play(RUNS.get(2));
        publish(RUNS.get(2), 1, 1);
        OperatorSubtaskState state = gate.snapshot(1, 1);
        List<Admission> first = attempts(RUNS.get(0));
        gate.close();
        open(state);
        gate.caughtUp();
        assertThat(admitted()).as("all of it was given out").isEmpty();
        assertThat(marks()).as("that of the third was given out").isEmpty();
        publish(RUNS.get(0), 1, 1);
        play(RUNS.get(0), first);
        assertThat(marks()).containsExactly("job-c1 ");
    }

    @Test
    void whatNoRunOfTheJobWroteIsSkipped() throws Exception {
        begin();
        int before = gate.extractOutputValues().size();
        publish("job", 5, 0);
        publish("job-c11", 5, 0);
        assertThat(gate.extractOutputValues()).hasSize(before);
        assertThat(gate.rejects()).isEmpty();
    }
}
