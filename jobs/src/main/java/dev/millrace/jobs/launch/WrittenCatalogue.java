package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The newest catalogue of a run, as its topic has it.
 *
 * @param start what was said of it, null in runs that were begun without a word
 * @param tasks those that are trained on and those that measure
 */
record WrittenCatalogue(CatalogueStart start, List<Task> tasks) {

    /** Reads the topic to its end. Blocks. */
    static WrittenCatalogue read(RunPlace run) {
        Scan scan = new Scan(run.runId());
        TopicScan.read(run.cluster(), run.names().tasks(), scan::record);
        return new WrittenCatalogue(scan.start, List.copyOf(scan.tasks.values()));
    }

    /**
     * The index of the first training group that nobody has played, by the journal. Blocks while it
     * reads all of that.
     */
    static long firstUnplayed(RunPlace run) {
        long[] first = {0};
        TopicScan.read(
                run.cluster(),
                run.names().turns(),
                record -> {
                    Admission admission = admission(record.value());
                    if (admission != null
                            && admission.runId().equals(run.runId())
                            && admission.lane() == Lane.TRAIN) {
                        first[0] = Math.max(first[0], admission.groupIndex() + 1);
                    }
                });
        return first[0];
    }

    private static Admission admission(byte[] line) {
        try {
            return Wire.decode(line, StepEvent.class).admission();
        } catch (WireException e) {
            // The gate refuses such lines too, by where they are.
            return null;
        }
    }

    /** Number of the catalogue that follows it. */
    int nextNumber() {
        return start == null ? 1 : start.number() + 1;
    }

    /** Whether all of it is there. */
    boolean complete() {
        return start == null ? !tasks.isEmpty() : tasks.size() >= start.tasks();
    }

    /** Whether the run was never given tasks: a start that is not whole was not played. */
    boolean missing() {
        return !complete() && (start == null || start.number() == 0);
    }

    private static final class Scan {
        private final String runId;
        private final Map<String, Task> tasks = new LinkedHashMap<>();
        private CatalogueStart start;

        Scan(String runId) {
            this.runId = runId;
        }

        void record(ConsumerRecord<String, byte[]> record) {
            if (runId.equals(record.key())) {
                Task task = Wire.decode(record.value(), Task.class);
                tasks.putIfAbsent(task.taskId(), task);
            } else if (CatalogueStart.key(runId).equals(record.key())) {
                CatalogueStart next = Wire.decode(record.value(), CatalogueStart.class);
                if (start == null || next.number() > start.number()) {
                    tasks.clear();
                }
                start = next;
            }
        }
    }
}
