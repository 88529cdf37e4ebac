package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run one of whose tasks has a verifier that never gives a verdict. */
@Timeout(600)
class QuarantinedTaskTest {
    private static final String BROKEN = "task-7";
    @TempDir Path folder;

    @Test
    void itIsPlayedUntilThatIsKnownAndThenClosesUnplayed() throws Exception {
        FlakyBackends outside =
                FlakyBackends.on(
                        "broken",
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        new FaultPlan(1, 0),
                        task -> task.taskId().equals(BROKEN),
                        "write ",
                        "");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run =
                        new FakeRun(
                                broker,
                                folder,
                                "broken",
                                outside,
                                "train.steps=26",
                                "limits.effects.quarantineTaskAfter=4",
                                "limits.effects.quarantine=1h")) {
            run.start(null);
            assertThat(run.end()).isEqualTo("FINISHED");
            Map<String, GroupRecord> groups = groups(run);
            List<GroupRecord> ofTheTask =
                    groups.values().stream()
                            .filter(group -> group.task().taskId().equals(BROKEN))
                            .toList();
            List<String> refused =
                    ofTheTask.stream()
                            .filter(group -> group.cause().equals("task_quarantined"))
                            .map(GroupRecord::groupId)
                            .toList();
            assertThat(ofTheTask).as("turns of the task").hasSizeGreaterThan(1);
            assertThat(refused).as("but for the first").hasSize(ofTheTask.size() - 1);
            assertThat(played(run)).doesNotContainAnyElementsOf(refused);
            assertThat(rejected(run)).hasSameSizeAs(refused);
            assertEveryIndexIsAnswered(groups);
            assertCountsAddUp(run);
        }
    }

    /** The first record of each training group. */
    private static Map<String, GroupRecord> groups(FakeRun run) {
        Map<String, GroupRecord> first = new HashMap<>();
        run.read(run.topics().groups(), GroupRecord.class).stream()
                .filter(group -> !group.drained() && group.lane() == Lane.TRAIN)
                .forEach(group -> first.putIfAbsent(group.groupId(), group));
        return first;
    }

    private static Set<String> played(FakeRun run) {
        return run.read(run.topics().turns(), StepEvent.class).stream()
                .filter(event -> event.admission() != null)
                .map(event -> event.admission().groupId())
                .collect(Collectors.toSet());
    }

    private static List<Reject> rejected(FakeRun run) {
        return run.read(run.topics().rejects(), Reject.class).stream()
                .filter(reject -> reject.reason().equals("task_quarantined"))
                .toList();
    }

    private static void assertEveryIndexIsAnswered(Map<String, GroupRecord> groups) {
        List<Long> indexes =
                groups.values().stream().map(GroupRecord::groupIndex).sorted().toList();
        List<Long> due = new ArrayList<>();
        for (long index = 0; index < groups.size(); index++) {
            due.add(index);
        }
        assertThat(indexes).isEqualTo(due);
    }

    /** Attempts are valid or failed by a class and a cause; groups, by their attempts, likewise. */
    private static void assertCountsAddUp(FakeRun run) throws Exception {
        Map<String, Integer> kinds = new TreeMap<>();
        Map<String, Integer> byGroup = new TreeMap<>();
        List<GenericRecord> attempts = run.ledger().rows(LedgerTable.ATTEMPTS);
        for (GenericRecord attempt : attempts) {
            boolean valid = (boolean) attempt.get("valid");
            Object failed = attempt.get("failure_class");
            assertThat(valid).isEqualTo(failed == null);
            assertThat(valid).isEqualTo(attempt.get("failure_cause") == null);
            kinds.merge(valid ? "valid" : failed.toString(), 1, Integer::sum);
            byGroup.merge(attempt.get("group_id").toString(), 1, Integer::sum);
        }
        assertThat(kinds.values().stream().mapToInt(n -> n).sum()).isEqualTo(attempts.size());
        assertThat(kinds).containsEntry("VERIFIER", 4);
        for (GenericRecord group : run.ledger().rows(LedgerTable.GROUPS)) {
            int known = byGroup.getOrDefault(group.get("group_id").toString(), 0);
            assertThat((int) group.get("attempts")).isEqualTo(known);
        }
    }
}
