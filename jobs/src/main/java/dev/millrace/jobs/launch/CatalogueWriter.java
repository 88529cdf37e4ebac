package dev.millrace.jobs.launch;

import dev.millrace.backends.dataset.RejectedRow;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a run's tasks into their topic, and the rows that are none into that of the rejects. The
 * gate counts a task that it sees twice once.
 */
final class CatalogueWriter {
    private CatalogueWriter() {}

    /**
     * Appends a catalogue.
     *
     * @param number of it in its run
     * @param firstIndex index of the first training group that plays it
     */
    static void write(
            RunPlace run,
            int number,
            long firstIndex,
            TaskCatalogue catalogue,
            CatalogueDigests digests) {
        List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
        for (RejectedRow row : catalogue.rejected()) {
            Reject reject =
                    new Reject(
                            run.runId(),
                            Reject.TASKS,
                            Reject.MALFORMED_TASK_ROW,
                            row.file() + ":" + row.line(),
                            row.reason());
            records.add(
                    new ProducerRecord<>(run.names().rejects(), Reject.TASKS, Wire.encode(reject)));
        }
        CatalogueStart start =
                new CatalogueStart(
                        number,
                        firstIndex,
                        digests.train(),
                        digests.heldOut(),
                        catalogue.tasks().size(),
                        catalogue.rejected().size());
        String key = CatalogueStart.key(run.runId());
        records.add(new ProducerRecord<>(run.names().tasks(), key, Wire.encode(start)));
        for (Task task : catalogue.tasks()) {
            records.add(new ProducerRecord<>(run.names().tasks(), run.runId(), Wire.encode(task)));
        }
        TopicAppend.append(run.cluster(), records);
    }
}
