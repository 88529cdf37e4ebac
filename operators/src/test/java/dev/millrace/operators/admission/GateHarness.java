package dev.millrace.operators.admission;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.operators.watch.WatchedKeyedProcess;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** A gate of groups of 2, batches of 2, lag 1; the test's thread is the task's. */
final class GateHarness
        extends KeyedOneInputStreamOperatorTestHarness<String, TopicRecord, Admission> {
    static final List<String> TOPICS = List.of("tasks", "turns", "groups", "policies", "progress");
    static final String ROWS = "rows";
    private static final OutputTag<GroupRecord> GROUPS = new OutputTag<>("groups") {};
    private static final OutputTag<ProgressRecord> BALANCES = new OutputTag<>("balances") {};
    private static final OutputTag<RowDemand> DEMAND = new OutputTag<>("demand") {};
    private static final OutputTag<Reject> REJECTS = new OutputTag<>("rejects") {};

    private GateHarness(List<RunShare> runs) throws Exception {
        super(
                new WatchedKeyedProcess<>(
                        new AdmissionGate(
                                new GateSettings(
                                        runs,
                                        new GateTopics(
                                                "tasks", "turns", "groups", "policies", "progress"),
                                        runs.get(0).admission().rowsAhead() > 0
                                                ? new GateRows(ROWS, GateHarness::task)
                                                : null,
                                        new RecordedMarkers()),
                                new GateOutputs(GROUPS, BALANCES, DEMAND, REJECTS)),
                        "admission",
                        WatchSettings.OFF),
                record -> Samples.RUN,
                Types.STRING);
    }

    static AdmissionSettings settings(long steps, int slots, long evalEverySteps) {
        return new AdmissionSettings(
                Samples.RUN,
                42,
                2,
                2,
                steps,
                1,
                0,
                slots,
                2,
                evalEverySteps,
                1,
                1,
                Samples.budget(),
                List.of("r0", "r1"),
                false);
    }

    /** On the heap. */
    static GateHarness open(AdmissionSettings settings, OperatorSubtaskState state)
            throws Exception {
        return open(List.of(new RunShare(settings, 1)), state);
    }

    /** Of several runs. */
    static GateHarness open(List<RunShare> runs, OperatorSubtaskState state) throws Exception {
        GateHarness gate = new GateHarness(runs);
        if (state != null) {
            gate.initializeState(state);
        }
        gate.open();
        return gate;
    }

    /** On RocksDB, with incremental checkpoints in a folder. */
    static GateHarness openOnDisk(AdmissionSettings settings, Path folder) throws Exception {
        GateHarness gate = new GateHarness(List.of(new RunShare(settings, 1)));
        gate.setStateBackend(new EmbeddedRocksDBStateBackend(true));
        gate.setCheckpointStorage(new FileSystemCheckpointStorage(folder.toUri()));
        gate.open();
        return gate;
    }

    void send(String topic, Object value) throws Exception {
        processElement(new StreamRecord<>(Samples.data(topic, value)));
    }

    /** A record of the topic of rows; what begins with "bad" is no task. */
    void row(int partition, long offset, String text) throws Exception {
        processElement(
                new StreamRecord<>(
                        TopicRecord.data(
                                ROWS,
                                partition,
                                offset,
                                TopicRecord.FINAL_KEY,
                                text.getBytes(StandardCharsets.UTF_8))));
    }

    private static Task task(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        if (text.startsWith("bad")) {
            throw new IllegalArgumentException("'metadata' is missing");
        }
        return Samples.task(text, Split.TRAIN);
    }

    /** How far the topic of rows may be read, as it was said. */
    List<RowDemand> demands() {
        var side = getSideOutput(DEMAND);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }

    void caughtUp() throws Exception {
        for (String topic : TOPICS) {
            processElement(new StreamRecord<>(TopicRecord.caughtUp(topic, 0, 1)));
        }
    }

    void taken(long epoch, long group, long step) throws Exception {
        report(ProgressRecord.Kind.TAKEN, epoch, group, step, "");
    }

    void report(ProgressRecord.Kind kind, long epoch, long group, long step, String cause)
            throws Exception {
        String id = Samples.RUN + "/g" + group;
        send(
                "progress",
                new ProgressRecord(Samples.RUN, kind, "learn", epoch, id, group, step, cause));
    }

    /** Journals the attempts of a training group, ends them, and closes the group. */
    void play(long group, PolicyRef policy, double... rewards) throws Exception {
        for (Admission attempt : attempts(group)) {
            send("turns", Samples.journaled(attempt));
            send("turns", Samples.ended(attempt, StepEvent.Kind.CAPTURED));
        }
        send("groups", Samples.group(group, policy, rewards));
    }

    List<Admission> attempts(long group) {
        return extractOutputValues().stream()
                .filter(a -> a.groupId().equals(Samples.RUN + "/g" + group))
                .toList();
    }

    /** Groups that were admitted, in order, each once. */
    List<String> groups() {
        return extractOutputValues().stream().map(Admission::groupId).distinct().toList();
    }

    List<ProgressRecord> balances() {
        var side = getSideOutput(BALANCES);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }

    List<Reject> rejects() {
        var side = getSideOutput(REJECTS);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }

    List<GroupRecord> marks() {
        var side = getSideOutput(GROUPS);
        return side == null ? List.of() : side.stream().map(StreamRecord::getValue).toList();
    }
}
