package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.operators.watch.WatchedKeyedProcess;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmissionGateTest {
    private static final OutputTag<GroupRecord> GROUPS = new OutputTag<>("groups") {};
    private static final OutputTag<ProgressRecord> BALANCES = new OutputTag<>("balances") {};
    private static final OutputTag<RowDemand> DEMAND = new OutputTag<>("demand") {};
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};
    private static final GateTopics TOPICS =
            new GateTopics("tasks", "turns", "groups", "policies", "progress");
    private OneInputStreamOperatorTestHarness<TopicRecord, Admission> harness;

    @BeforeEach
    void open() throws Exception {
        RecordedMarkers.WRITTEN.set(0);
        RecordedMarkers.failing = false;
        open(null);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private void open(OperatorSubtaskState state) throws Exception {
        AdmissionSettings admission =
                new AdmissionSettings(
                        Samples.RUN,
                        42,
                        2,
                        2,
                        1,
                        0,
                        3,
                        100,
                        2,
                        0,
                        1,
                        1,
                        Samples.budget(),
                        List.of("r0", "r1"),
                        false);
        GateSettings settings = new GateSettings(admission, TOPICS, new RecordedMarkers());
        harness =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new WatchedKeyedProcess<>(
                                new AdmissionGate(
                                        settings,
                                        new GateOutputs(GROUPS, BALANCES, DEMAND, REJECTS)),
                                "admission",
                                WatchSettings.OFF),
                        record -> Samples.RUN,
                        Types.STRING);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    private OperatorSubtaskState snapshot(long checkpoint) throws Exception {
        return harness.snapshot(checkpoint, checkpoint);
    }

    private void reopen(OperatorSubtaskState state) throws Exception {
        harness.close();
        open(state);
    }

    private void send(String topic, Object value) throws Exception {
        send(Samples.data(topic, value));
    }

    private void send(TopicRecord record) throws Exception {
        harness.processElement(new StreamRecord<>(record));
    }

    private void catalogueAndPolicy() throws Exception {
        send("tasks", Samples.task("t0", Split.TRAIN));
        send("tasks", Samples.task("t1", Split.TRAIN));
        send("policies", Samples.published(1, 0, false));
    }

    private void caughtUp(String... topics) throws Exception {
        for (String topic : topics) {
            send(TopicRecord.caughtUp(topic, 0, 1));
        }
    }

    private List<Admission> admitted() {
        return harness.extractOutputValues();
    }

    private Set<String> groups() {
        return admitted().stream().map(Admission::groupId).collect(Collectors.toSet());
    }

    private void closeAll(double... rewards) throws Exception {
        for (String id : List.copyOf(groups())) {
            List<Admission> attempts =
                    admitted().stream().filter(a -> a.groupId().equals(id)).toList();
            Admission first = attempts.get(0);
            GroupRecord closed = Samples.group(first.groupIndex(), first.policy(), rewards);
            send("groups", closed);
            for (Admission attempt : attempts) {
                send("turns", Samples.ended(attempt, StepEvent.Kind.CAPTURED));
            }
        }
    }

    private void progress(ProgressRecord.Kind kind, String source, long index) throws Exception {
        String id = index < 0 ? "" : Samples.RUN + "/g" + index;
        send("progress", new ProgressRecord(Samples.RUN, kind, source, 1, id, index, 0, ""));
    }

    /** One step, trained and published as the last. */
    private void runToItsEnd() throws Exception {
        catalogueAndPolicy();
        caughtUp("tasks", "turns", "groups", "policies", "progress");
        closeAll(1, 0);
        progress(ProgressRecord.Kind.TAKEN, "learn", 0);
        progress(ProgressRecord.Kind.TAKEN, "learn", 1);
        assertThat(harness.getSideOutput(GROUPS)).isNull();
        send("policies", Samples.published(1, 1, true));
    }

    @Test
    void admitsNothingBeforeEveryTopicHasBeenReadToItsEnd() throws Exception {
        catalogueAndPolicy();
        caughtUp("tasks", "turns", "groups", "policies");
        assertThat(admitted()).isEmpty();
        send(TopicRecord.caughtUp("progress", 1, 2));
        assertThat(admitted()).isEmpty();
        send(TopicRecord.caughtUp("progress", 0, 2));
        assertThat(groups()).containsExactlyInAnyOrder("run/g0", "run/g1");
    }

    @Test
    void saysOnceThatNoGroupWillFollow() throws Exception {
        runToItsEnd();
        assertThat(harness.getSideOutput(GROUPS).stream().map(r -> r.getValue().drained()))
                .containsExactly(true);
        progress(ProgressRecord.Kind.DRAINED, "learn", -1);
        assertThat(harness.getSideOutput(GROUPS)).hasSize(1);
    }

    @Test
    void endsTheTopicsOnceACheckpointCoversThatEveryRegionIsDrained() throws Exception {
        runToItsEnd();
        progress(ProgressRecord.Kind.DRAINED, "learn", -1);
        snapshot(1);
        harness.notifyOfCompletedCheckpoint(1);
        progress(ProgressRecord.Kind.DRAINED, "ledger", -1);
        harness.notifyOfCompletedCheckpoint(1);
        snapshot(2);
        snapshot(3);
        assertThat(RecordedMarkers.WRITTEN).hasValue(0);
        harness.notifyOfCompletedCheckpoint(3);
        await().untilAsserted(() -> assertThat(RecordedMarkers.WRITTEN).hasValue(1));
        harness.notifyOfCompletedCheckpoint(4);
        assertThat(RecordedMarkers.WRITTEN).hasValue(1);
    }

    @Test
    void endsTheTopicsAfterARestoreFromThatCheckpointToo() throws Exception {
        runToItsEnd();
        progress(ProgressRecord.Kind.DRAINED, "learn", -1);
        progress(ProgressRecord.Kind.DRAINED, "ledger", -1);
        reopen(snapshot(1));
        caughtUp("tasks");
        snapshot(2);
        harness.notifyOfCompletedCheckpoint(2);
        await().untilAsserted(() -> assertThat(RecordedMarkers.WRITTEN).hasValue(1));
    }

    @Test
    void failsTheTaskWhenTheTopicsCannotBeEnded() throws Exception {
        RecordedMarkers.failing = true;
        runToItsEnd();
        progress(ProgressRecord.Kind.DRAINED, "learn", -1);
        progress(ProgressRecord.Kind.DRAINED, "ledger", -1);
        snapshot(1);
        harness.notifyOfCompletedCheckpoint(1);
        await().untilAsserted(
                        () ->
                                assertThatThrownBy(() -> caughtUp("tasks"))
                                        .hasRootCauseMessage("the broker is away"));
    }

    @Test
    void goesOnAfterARestoreWithTheGroupsItHadAdmitted() throws Exception {
        catalogueAndPolicy();
        caughtUp("tasks", "turns", "groups", "policies", "progress");
        List<Admission> before = new ArrayList<>(admitted());
        reopen(snapshot(1));
        caughtUp("tasks", "turns", "groups", "policies", "progress");
        assertThat(admitted()).isEmpty();
        send("groups", Samples.group(0, before.get(0).policy(), 1, 1));
        assertThat(groups()).containsExactly("run/g2");
    }

    @Test
    void adoptsGroupsOfTheJournalThatItsStateDoesNotKnow() throws Exception {
        OperatorSubtaskState empty = snapshot(1);
        catalogueAndPolicy();
        caughtUp("tasks", "turns", "groups", "policies", "progress");
        List<Admission> before = new ArrayList<>(admitted());
        reopen(empty);
        catalogueAndPolicy();
        send("turns", Samples.journaled(before.get(3)));
        caughtUp("tasks", "turns", "groups", "policies", "progress");
        assertThat(admitted()).hasSize(4).contains(before.get(3));
        Set<String> ids =
                admitted().stream()
                        .filter(a -> a.groupIndex() == before.get(3).groupIndex())
                        .map(Admission::admissionId)
                        .collect(Collectors.toSet());
        assertThat(ids).containsExactly(before.get(3).admissionId());
    }

    @Test
    void refusesWhatItCannotReadByWhereItLies() throws Exception {
        send(TopicRecord.data("policies", 0, 7, Samples.RUN, new byte[] {1}));
        send(TopicRecord.data("policies", 0, 8, "another run", new byte[] {1}));
        assertThat(harness.getSideOutput(REJECTS).stream().map(r -> r.getValue().key()))
                .containsExactly("policies/0@7");
    }

    @Test
    void theJournalIsFilteredDownToWhatTakesOrGivesBackASlot() {
        Admission admission = Samples.admission(0, 0, 2, "adm");
        GateJournal filter = new GateJournal();
        assertThat(filter.filter(journal(Samples.journaled(admission)))).isTrue();
        for (StepEvent.Kind kind : StepEvent.Kind.values()) {
            boolean passes = filter.filter(journal(Samples.ended(admission, kind)));
            assertThat(passes)
                    .isEqualTo(
                            kind == StepEvent.Kind.ADMITTED
                                    || kind == StepEvent.Kind.CAPTURED
                                    || kind == StepEvent.Kind.CANCELLED
                                    || kind == StepEvent.Kind.FAILED);
        }
        assertThat(filter.filter(TopicRecord.caughtUp("turns", 0, 1))).isTrue();
        assertThat(admission.lane()).isEqualTo(Lane.TRAIN);
    }

    private static TopicRecord journal(StepEvent event) {
        return TopicRecord.data("turns", 0, 0, event.route(), Wire.encode(event));
    }
}
