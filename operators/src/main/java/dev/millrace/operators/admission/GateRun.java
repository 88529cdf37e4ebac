package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run as the gate knows it: its book, where the book is kept, and what is shown of it. */
final class GateRun {
    private static final Logger LOG = LoggerFactory.getLogger(GateRun.class);

    private final String runId;
    private final GateTopics topics;
    private final GateState kept;
    private final GateMetrics metrics;
    private final AdmissionBook book;
    private final RunRows rows;
    private boolean starvedSaid;

    /** Reads what is kept of a run. */
    GateRun(AdmissionSettings settings, GateSettings gate, GateState kept, GateMetrics metrics)
            throws Exception {
        this.runId = settings.runId();
        this.topics = gate.topics();
        this.kept = kept;
        this.metrics = metrics;
        this.book = new AdmissionBook(settings, kept.read());
        this.rows = new RunRows(runId, gate.rows(), book);
    }

    String runId() {
        return runId;
    }

    AdmissionBook book() {
        return book;
    }

    /** What it takes of a topic of rows. */
    RunRows rows() {
        return rows;
    }

    GateMetrics metrics() {
        return metrics;
    }

    /** Takes a record whose key names this run. */
    void hear(TopicRecord record) {
        byte[] value = record.value();
        String topic = record.topic();
        if (topic.equals(topics.tasks())) {
            hearOfTasks(record);
        } else if (topic.equals(topics.groups())) {
            book.closed(Wire.decode(value, GroupRecord.class));
        } else if (topic.equals(topics.policies())) {
            book.policy(Wire.decode(value, PolicyRecord.class));
        } else if (topic.equals(topics.progress())) {
            book.progress(Wire.decode(value, ProgressRecord.class));
        } else {
            throw new IllegalArgumentException("The gate does not hear this topic");
        }
    }

    private void hearOfTasks(TopicRecord record) {
        if (record.key().equals(runId)) {
            book.task(Wire.decode(record.value(), Task.class));
        } else if (record.key().equals(CatalogueStart.key(runId))) {
            book.catalogue(Wire.decode(record.value(), CatalogueStart.class));
        } else {
            throw new IllegalArgumentException("The gate does not know this key");
        }
    }

    /** Takes an event of one of its attempts. */
    void hear(StepEvent event) {
        if (event.kind() == StepEvent.Kind.ADMITTED) {
            book.admitted(event.admission());
        } else {
            book.ended(event);
        }
    }

    /** The mark behind its last group, once, when nothing is open any more. */
    Optional<GroupRecord> drained() {
        if (book.drained() || !book.exhausted()) {
            return Optional.empty();
        }
        LOG.info("Nothing is open any more run={} accounts={}", runId, book.balance());
        book.markDrained();
        return Optional.of(GroupRecord.drained(runId, book.endsEarly(), book.newestRef()));
    }

    void sayStarved() {
        boolean starved = book.starved();
        if (starved && !starvedSaid) {
            LOG.warn(
                    "STARVED: no group taught anything lately run={} accounts={}",
                    runId,
                    book.balance());
        }
        starvedSaid = starved;
    }

    /** Writes what has changed, and shows it. */
    void keep() throws Exception {
        kept.write();
        metrics.show(book);
    }
}
