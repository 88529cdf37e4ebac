package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;

/** Catalogues and rates of tasks, in the gate's state. */
class AdmissionGateTasksTest {
    private static final int TASKS = 8;
    private static final int GROUPS = 40;
    private final TreeMap<Long, String> played = new TreeMap<>();
    private GateHarness gate;

    private static AdmissionSettings settings(boolean curriculum) {
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
                1,
                1,
                Samples.budget(),
                List.of("r0", "r1"),
                curriculum);
    }

    private void begin(boolean curriculum) throws Exception {
        played.clear();
        gate = GateHarness.open(settings(curriculum), null);
        catalogue(0, 0, "t", TASKS);
        gate.send("policies", Samples.announced(1, 0, 0));
        gate.send("policies", Samples.published(1, 0, false));
        gate.caughtUp();
    }

    private void catalogue(int number, long from, String prefix, int tasks) throws Exception {
        CatalogueStart start = new CatalogueStart(number, from, prefix, "held", tasks, 3);
        gate.processElement(
                new StreamRecord<>(
                        TopicRecord.data(
                                "tasks",
                                0,
                                0,
                                CatalogueStart.key(Samples.RUN),
                                Wire.encode(start))));
        for (int i = 0; i < tasks; i++) {
            gate.send("tasks", Samples.task(prefix + i, Split.TRAIN));
        }
    }

    private void restore(boolean curriculum, long checkpoint) throws Exception {
        OperatorSubtaskState state = gate.snapshot(checkpoint, checkpoint);
        collect();
        gate.close();
        gate = GateHarness.open(settings(curriculum), state);
    }

    private void collect() {
        gate.extractOutputValues().forEach(a -> played.put(a.groupIndex(), a.task().taskId()));
    }

    /** Plays groups in their order; even tasks are always solved, odd ones by one of two. */
    private void play(long from, long to, Map<Long, List<Admission>> open) throws Exception {
        for (long group = from; group < to; group++) {
            for (Admission admission : gate.extractOutputValues()) {
                open.computeIfAbsent(admission.groupIndex(), g -> List.of(admission));
            }
            Admission first = open.get(group).get(0);
            for (int attempt = 0; attempt < first.groupSize(); attempt++) {
                Admission each = attempt(first, attempt);
                gate.send("turns", Samples.journaled(each));
                gate.send("turns", Samples.ended(each, StepEvent.Kind.CAPTURED));
            }
            gate.send("groups", closed(first));
        }
        collect();
    }

    private static Admission attempt(Admission of, int index) {
        return new Admission(
                of.runId(),
                of.lane(),
                of.groupId(),
                of.groupIndex(),
                of.admissionId(),
                of.groupSize(),
                index,
                of.route(),
                of.task(),
                of.policy(),
                of.temperature(),
                of.seed(),
                of.evalRound(),
                of.budget());
    }

    /** Dropped, whatever its rewards: the run goes on without a trainer. */
    private static GroupRecord closed(Admission admission) {
        boolean even = admission.task().taskId().charAt(1) % 2 == 0;
        GroupRecord rewarded =
                Samples.group(admission.groupIndex(), admission.policy(), 1, even ? 1 : 0);
        GroupRecord dropped = Samples.group(admission.groupIndex(), admission.policy(), 1, 1);
        return new GroupRecord(
                dropped.runId(),
                false,
                dropped.lane(),
                dropped.groupId(),
                dropped.groupIndex(),
                admission.admissionId(),
                admission.task(),
                dropped.policy(),
                "",
                false,
                dropped.verdict(),
                dropped.cause(),
                1,
                rewarded.attempts());
    }

    @Test
    void aRestoredGateDrawsTheSameByWhatItHasSeenOfTheTasks() throws Exception {
        begin(true);
        play(0, GROUPS, new HashMap<>());
        TreeMap<Long, String> undisturbed = new TreeMap<>(played);
        gate.close();
        begin(true);
        Map<Long, List<Admission>> open = new HashMap<>();
        for (long group = 0; group < GROUPS; group += 5) {
            play(group, group + 5, open);
            gate.extractOutputValues()
                    .forEach(a -> open.computeIfAbsent(a.groupIndex(), g -> List.of(a)));
            restore(true, group + 1);
            gate.caughtUp();
        }
        assertThat(played).isEqualTo(undisturbed);
        assertThat(List.copyOf(played.subMap(8L, 40L).values()))
                .as("the order is drawn by weights")
                .filteredOn(id -> id.charAt(1) % 2 == 1)
                .hasSizeGreaterThan(16);
        gate.close();
    }

    @Test
    void otherTasksAreKeptInTheState() throws Exception {
        begin(false);
        Map<Long, List<Admission>> open = new HashMap<>();
        play(0, 3, open);
        gate.extractOutputValues()
                .forEach(a -> open.computeIfAbsent(a.groupIndex(), g -> List.of(a)));
        restore(false, 1);
        catalogue(1, 7, "n", 3);
        restore(false, 2);
        gate.caughtUp();
        play(3, 9, open);
        assertThat(played.headMap(7L).values()).allMatch(id -> id.startsWith("t"));
        assertThat(Set.copyOf(played.subMap(7L, 10L).values()))
                .as("a whole pass of the new ones")
                .containsExactlyInAnyOrder("n0", "n1", "n2");
        gate.close();
    }
}
