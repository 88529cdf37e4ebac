package dev.millrace.pipeline.topology;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.runtime.checkpoint.CheckpointStatsCounts;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;

/** Where a run stands that does not come to its end. */
final class StallReport {
    private static final int LAST = 20;

    private StallReport() {}

    static String of(FakeRun run, AccessExecutionGraph graph) {
        List<String> lines = new ArrayList<>();
        lines.add("state " + graph.getState());
        CheckpointStatsCounts checkpoints = graph.getCheckpointStatsSnapshot().getCounts();
        lines.add(
                "checkpoints completed "
                        + checkpoints.getNumberOfCompletedCheckpoints()
                        + " failed "
                        + checkpoints.getNumberOfFailedCheckpoints());
        for (AccessExecutionJobVertex vertex : graph.getVerticesTopologically()) {
            for (AccessExecutionVertex task : vertex.getTaskVertices()) {
                lines.add(
                        task.getTaskNameWithSubtaskIndex()
                                + " "
                                + task.getExecutionState()
                                + " attempt "
                                + task.getCurrentExecutionAttempt().getAttemptNumber());
            }
        }
        Map<String, String> open = new LinkedHashMap<>();
        for (StepEvent event : run.read(run.topics().turns(), StepEvent.class)) {
            open.put(
                    event.stage() + " " + event.itemId(),
                    event.kind() + " " + event.effectId() + " under " + event.admissionId());
        }
        open.forEach((item, last) -> lines.add("journal " + item + ": " + last));
        last("groups", run.read(run.topics().groups(), GroupRecord.class), lines);
        last("policies", run.read(run.topics().policies(), PolicyRecord.class), lines);
        last("progress", run.read(run.topics().progress(), ProgressRecord.class), lines);
        last("rejects", run.read(run.topics().rejects(), Reject.class), lines);
        return lines.stream().collect(Collectors.joining("\n"));
    }

    private static void last(String topic, List<?> records, List<String> lines) {
        lines.add(topic + " " + records.size());
        records.subList(Math.max(0, records.size() - LAST), records.size())
                .forEach(record -> lines.add(topic + ": " + record));
    }
}
