package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.Task;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rows of a topic as a run takes them: tasks wait in its book, what is none is refused. */
final class RunRows {
    private static final Logger LOG = LoggerFactory.getLogger(RunRows.class);

    private final String runId;

    /** Null when the catalogue has the run's tasks. */
    private final GateRows rows;

    private final AdmissionBook book;
    private boolean waitingSaid;

    RunRows(String runId, GateRows rows, AdmissionBook book) {
        this.runId = runId;
        this.rows = rows;
        this.book = book;
    }

    /** Takes a record of the topic; says why when it is no task. */
    Optional<Reject> hear(TopicRecord record) {
        RowPosition at = new RowPosition(record.partition(), record.offset());
        Task task;
        try {
            task = rows.decoder().task(record.value());
        } catch (IllegalArgumentException e) {
            book.row(at, Optional.empty());
            return Optional.of(
                    new Reject(
                            runId,
                            Reject.TASKS,
                            Reject.MALFORMED_TASK_ROW,
                            record.where(),
                            e.getMessage()));
        }
        book.row(at, Optional.of(task));
        return Optional.empty();
    }

    /** Says once that the run could go on if there were a row. */
    void sayWaiting() {
        boolean waiting = book.waitsForRows();
        if (waiting && !waitingSaid) {
            LOG.info("Waiting for task rows run={} topic={}", runId, rows.topic());
        }
        waitingSaid = waiting;
    }
}
