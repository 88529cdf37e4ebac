package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a restored gate does with all that its topics hold. */
class AdmissionGateRestoreTest {
    private static final int LIMIT = 4;
    private static final int TASKS = 5;
    private static final PolicyRef POLICY = Samples.policy(1, 0);
    private final Map<String, List<Object>> topics = new TreeMap<>();
    private final List<Admission> admitted = new ArrayList<>();
    private GateHarness gate;
    private int collected;

    @AfterEach
    void close() throws Exception {
        gate.close();
    }

    private void start(AdmissionSettings settings) throws Exception {
        gate = GateHarness.open(settings, null);
        for (int i = 0; i < TASKS; i++) {
            write("tasks", Samples.task("t" + i, Split.TRAIN));
        }
        write("policies", Samples.announced(1, 0, 0));
        write("policies", Samples.published(1, 0, false));
        gate.caughtUp();
        collect();
    }

    /** Appends to a topic; the gate reads it at once. */
    private void write(String topic, Object value) throws Exception {
        topics.computeIfAbsent(topic, t -> new ArrayList<>()).add(value);
        gate.send(topic, value);
        collect();
    }

    /** Journals what the gate admits, as the rollout stage does. */
    private void collect() throws Exception {
        List<Admission> all = gate.extractOutputValues();
        while (collected < all.size()) {
            Admission next = all.get(collected++);
            admitted.add(next);
            topics.computeIfAbsent("turns", t -> new ArrayList<>()).add(Samples.journaled(next));
            gate.send("turns", Samples.journaled(next));
        }
    }

    private void close(long group, double... rewards) throws Exception {
        for (Admission attempt : List.copyOf(admitted)) {
            if (attempt.groupIndex() == group) {
                write("turns", Samples.ended(attempt, StepEvent.Kind.CAPTURED));
            }
        }
        write("groups", Samples.group(group, POLICY, rewards));
    }

    private void report(ProgressRecord.Kind kind, long group, long step, String cause)
            throws Exception {
        String id = Samples.RUN + "/g" + group;
        write(
                "progress",
                new ProgressRecord(Samples.RUN, kind, "learn", 1, id, group, step, cause));
    }

    private Map<String, Integer> ends() {
        Map<String, Integer> ends = new TreeMap<>();
        topics.forEach((topic, records) -> ends.put(topic, records.size()));
        return ends;
    }

    /** A gate that has read the topics up to some ends, and reads the rest, one after the other. */
    private void restore(
            AdmissionSettings settings,
            OperatorSubtaskState state,
            Map<String, Integer> from,
            List<String> order)
            throws Exception {
        gate.close();
        gate = GateHarness.open(settings, state);
        collected = 0;
        for (String topic : order) {
            List<Object> records = topics.getOrDefault(topic, List.of());
            for (Object record : records.subList(from.getOrDefault(topic, 0), records.size())) {
                gate.send(topic, record);
            }
        }
        assertThat(gate.groups()).as("nothing before all was read").isEmpty();
        gate.caughtUp();
    }

    @Test
    void aSavepointTwentyGroupsOldMakesNoBurstAndPlaysNoFinishedGroupAgain() throws Exception {
        AdmissionSettings settings = GateHarness.settings(100, 100, 0);
        start(settings);
        OperatorSubtaskState old = gate.snapshot(1, 1);
        Map<String, Integer> from = ends();
        for (int group = 0; group < 20; group++) {
            close(group, 1, 1);
        }
        Set<String> known = new HashSet<>();
        admitted.forEach(a -> known.add(a.groupId()));
        List<String> forward = new ArrayList<>(GateHarness.TOPICS);
        List<String> backward = new ArrayList<>(forward);
        java.util.Collections.reverse(backward);
        for (List<String> order : List.of(forward, backward)) {
            restore(settings, old, from, order);
            assertThat(known)
                    .as("groups that are open are given out again, no others")
                    .containsAll(gate.groups());
            assertThat(gate.groups()).hasSizeLessThanOrEqualTo(LIMIT);
            assertThat(gate.groups()).doesNotContain("run/g0", "run/g19");
            Set<String> ids = new HashSet<>();
            admitted.forEach(a -> ids.add(a.groupId() + a.admissionId()));
            gate.extractOutputValues()
                    .forEach(a -> assertThat(ids).contains(a.groupId() + a.admissionId()));
            gate.send("groups", Samples.group(20, POLICY, 1, 1));
            assertThat(gate.groups()).contains("run/g24").doesNotContain("run/g25");
        }
    }

    @Test
    void groupsThatAreForcedStaleCountAsProcessedAndTheRunGoesOn() throws Exception {
        AdmissionSettings settings = GateHarness.settings(100, 100, 0);
        start(settings);
        int stale = 3 * LIMIT;
        for (int group = 0; group < stale; group++) {
            close(group, 1, 0);
            report(ProgressRecord.Kind.DROPPED, group, 0, "stale");
        }
        assertThat(gate.groups()).hasSize(stale + LIMIT);
        OperatorSubtaskState state = gate.snapshot(1, 1);
        Map<String, Integer> from = ends();
        restore(settings, state, from, GateHarness.TOPICS);
        assertThat(gate.groups()).as("no dropped group is offered again").isEmpty();
        gate.send("groups", Samples.group(stale, POLICY, 1, 1));
        assertThat(gate.groups()).containsExactly("run/g" + (stale + LIMIT));
    }

    @Test
    void everyKillLeavesTheOrderOfTasksAsItWouldHaveBeen() throws Exception {
        List<String> undisturbed = tasksOf(Set.of());
        gate.close();
        topics.clear();
        admitted.clear();
        collected = 0;
        assertThat(tasksOf(Set.of(0, 3, 9, 10, 17))).isEqualTo(undisturbed);
        assertThat(undisturbed.subList(0, TASKS)).doesNotHaveDuplicates();
        assertThat(undisturbed.subList(TASKS, 2 * TASKS))
                .as("the next pass begins where the first ends")
                .doesNotHaveDuplicates();
    }

    /** Tasks of 20 groups, with kills and restores from an older state behind some of them. */
    private List<String> tasksOf(Set<Integer> kills) throws Exception {
        AdmissionSettings settings = GateHarness.settings(100, 100, 0);
        start(settings);
        OperatorSubtaskState state = gate.snapshot(1, 1);
        Map<String, Integer> from = ends();
        for (int group = 0; group < 20; group++) {
            close(group, group % 10 == 3 ? new double[] {} : new double[] {1, 1});
            if (kills.contains(group)) {
                restore(settings, state, from, GateHarness.TOPICS);
                collected = gate.extractOutputValues().size();
                gate.extractOutputValues().forEach(a -> assertThat(admitted).contains(a));
                state = gate.snapshot(group + 2, 1);
                from = ends();
            }
        }
        TreeMap<Long, String> tasks = new TreeMap<>();
        admitted.forEach(a -> tasks.put(a.groupIndex(), a.task().taskId()));
        return new ArrayList<>(tasks.values()).subList(0, 20);
    }

    @Test
    void aRunGoesOnAtTheLastTaskOfAPass() throws Exception {
        AdmissionSettings settings = GateHarness.settings(100, 100, 0);
        start(settings);
        close(0, 1, 1);
        assertThat(gate.groups()).as("all tasks of the first pass are given out").hasSize(TASKS);
        OperatorSubtaskState state = gate.snapshot(1, 1);
        restore(settings, state, ends(), GateHarness.TOPICS);
        Set<String> second = new HashSet<>();
        for (int group = 1; group < 1 + TASKS; group++) {
            gate.send("groups", Samples.group(group, POLICY, 1, 1));
        }
        gate.extractOutputValues().forEach(a -> second.add(a.task().taskId()));
        assertThat(second).as("the second pass is whole").hasSize(TASKS);
    }

    @Test
    void withABatchOfMixedGroupsWaitingTheNextStepsAreStillFilled() throws Exception {
        AdmissionSettings settings = GateHarness.settings(3, 100, 0);
        start(settings);
        close(0, 1, 0);
        close(1, 1, 0);
        OperatorSubtaskState state = gate.snapshot(1, 1);
        restore(settings, state, ends(), GateHarness.TOPICS);
        assertThat(gate.groups()).as("two wait, two are open").isEmpty();
        gate.taken(1, 0, 0);
        gate.taken(1, 1, 0);
        gate.send("policies", Samples.published(1, 1, false));
        assertThat(gate.groups()).containsExactly("run/g4", "run/g5");
    }

    @Test
    void withMoreStepsARunThatHadEndedGoesOn() throws Exception {
        start(GateHarness.settings(1, 100, 0));
        endsAfterOneStep();
        OperatorSubtaskState ended = gate.snapshot(1, 1);
        restore(GateHarness.settings(1, 100, 0), ended, ends(), GateHarness.TOPICS);
        assertThat(gate.groups()).isEmpty();
        assertThat(gate.marks()).as("it had ended").isEmpty();

        restore(GateHarness.settings(3, 100, 0), ended, ends(), GateHarness.TOPICS);
        assertThat(gate.groups()).containsExactly("run/g4", "run/g5", "run/g6", "run/g7");
        assertThat(gate.marks()).isEmpty();
        gate.send("progress", drained("learn"));
        gate.send("progress", drained("ledger"));
        gate.snapshot(2, 2);
        gate.notifyOfCompletedCheckpoint(2);
        assertThat(RecordedMarkers.WRITTEN).as("answers to the earlier mark").hasValue(0);
        gate.send("policies", Samples.published(1, 3, true));
        for (int group = 4; group < 8; group++) {
            gate.play(group, POLICY, 1, 1);
        }
        assertThat(gate.marks()).extracting(GroupRecord::drained).containsExactly(true);
    }

    @Test
    void withFewerStepsThanAreTrainedARunEnds() throws Exception {
        start(GateHarness.settings(4, 100, 0));
        endsAfterOneStep();
        assertThat(gate.marks()).isEmpty();
        OperatorSubtaskState state = gate.snapshot(1, 1);
        Set<String> open = new HashSet<>(gate.groups());
        restore(GateHarness.settings(1, 100, 0), state, ends(), GateHarness.TOPICS);
        assertThat(gate.groups()).as("nothing new is admitted").isEmpty();
        for (String id : open) {
            long group = Long.parseLong(id.substring(id.indexOf("/g") + 2));
            for (Admission attempt : admitted) {
                if (attempt.groupIndex() == group) {
                    gate.send("turns", Samples.ended(attempt, StepEvent.Kind.CANCELLED));
                }
            }
            gate.send("groups", Samples.group(group, POLICY, 1, 1));
        }
        assertThat(gate.marks()).hasSize(1);
    }

    private void endsAfterOneStep() throws Exception {
        RecordedMarkers.WRITTEN.set(0);
        close(0, 1, 0);
        close(1, 1, 0);
        report(ProgressRecord.Kind.TAKEN, 0, 0, "");
        report(ProgressRecord.Kind.TAKEN, 1, 0, "");
        write("policies", Samples.published(1, 1, false));
        close(2, 1, 1);
        close(3, 1, 1);
    }

    private static ProgressRecord drained(String source) {
        return new ProgressRecord(
                Samples.RUN, ProgressRecord.Kind.DRAINED, source, 1, "", -1, 1, "");
    }
}
