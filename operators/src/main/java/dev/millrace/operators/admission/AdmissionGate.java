package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits attempts, and ends the run. Runs once (parallelism 1), for one run; all decisions are
 * {@link AdmissionBook}'s. It admits nothing before it has heard all that its topics held when it
 * opened.
 *
 * <p>Ending: once nothing is open it sends the mark behind the last group; once every other region
 * has passed that mark and a checkpoint that covers this is complete, it has the final markers
 * written.
 *
 * <p>Training tasks come from the catalogue, or as rows of a topic that others write. Of those it
 * says how far they may be read, so that few wait here: it takes every record at once and blocks
 * nothing. While there is no row it is idle.
 *
 * <p>At each closed step it gives out the balance of all groups. A balance that does not hold is
 * said aloud, counted and refused, by the ids it names; the run goes on.
 *
 * <p>State: {@link GateState}. It ends with the run.
 */
public final class AdmissionGate extends KeyedProcessFunction<String, TopicRecord, Admission>
        implements CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 2L;
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionGate.class);
    private static final String STAGE = "admission";

    /** Regions that answer the mark behind the last group. */
    private static final List<String> SOURCES = List.of("learn", "ledger");

    private final GateSettings settings;
    private final GateOutputs outputs;
    private transient GateState kept;
    private transient AdmissionBook book;
    private transient CaughtUp caughtUp;
    private transient Ending ending;
    private transient GateMetrics metrics;
    private transient boolean starvedSaid;
    private transient boolean waitingSaid;

    /** A gate of one run: all that it hears must be keyed by the run. */
    public AdmissionGate(GateSettings settings, GateOutputs outputs) {
        this.settings = settings;
        this.outputs = outputs;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        kept = new GateState(context, settings.admission());
    }

    @Override
    public void open(OpenContext context) {
        caughtUp = new CaughtUp(settings.topics().all());
        ending = new Ending(settings.finalMarkers());
        metrics = new GateMetrics(getRuntimeContext().getMetricGroup().addGroup(STAGE));
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<Admission> out)
            throws Exception {
        ending.check();
        if (book == null) {
            // Its state lies under the run's key, which is known from the first record on.
            book = new AdmissionBook(settings.admission(), kept.read());
        }
        switch (record.kind()) {
            case CAUGHT_UP -> caughtUp.hear(record);
            case DATA -> hear(record, context);
            case FINAL -> {
                // The run is over; the sources end by themselves.
            }
        }
        if (caughtUp.all()) {
            book.admit(() -> UUID.randomUUID().toString()).forEach(out::collect);
            book.rowDemand().ifPresent(demand -> context.output(outputs.rowDemand(), demand));
            sayStarved();
            sayWaiting();
            sayDrained(context);
            book.closedSteps().forEach(closed -> balance(closed, context));
        }
        kept.write();
        metrics.show(book);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        ending.check();
        if (book == null) {
            return;
        }
        metrics.show(book.balance());
        if (book.passedBy(SOURCES)) {
            ending.covered(context.getCheckpointId());
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        ending.complete(checkpointId);
    }

    @Override
    public void close() {
        if (ending != null) {
            ending.close();
        }
    }

    private void sayDrained(Context context) {
        if (!book.drained() && book.exhausted()) {
            LOG.info("Nothing is open any more accounts={}", book.balance());
            book.markDrained();
            context.output(
                    outputs.groups(),
                    GroupRecord.drained(
                            settings.admission().runId(),
                            book.gaveUp() ? GroupRecord.STARVED : "",
                            book.newestRef()));
        }
    }

    private void balance(ProgressRecord closed, Context context) {
        context.output(outputs.progress(), closed);
        metrics.show(closed.accounts());
        if (closed.accounts().violations().isEmpty()) {
            return;
        }
        metrics.violated();
        LOG.error("The accounts do not balance step={} accounts={}", closed.step(), closed);
        context.output(
                outputs.rejects(),
                new Reject(
                        closed.runId(),
                        STAGE,
                        Reject.ACCOUNTS_VIOLATED,
                        new PolicyVersion(closed.epoch(), closed.step()).toString(),
                        String.join("; ", closed.accounts().violations())));
    }

    private void hear(TopicRecord record, Context context) {
        try {
            if (settings.rows() != null && record.topic().equals(settings.rows().topic())) {
                row(record, context);
            } else if (record.topic().equals(settings.topics().turns())) {
                event(Wire.decode(record.value(), StepEvent.class));
            } else if (record.key().equals(settings.admission().runId())) {
                ofThisRun(record);
            } else if (record.key().equals(CatalogueStart.key(settings.admission().runId()))) {
                book.catalogue(Wire.decode(record.value(), CatalogueStart.class));
            } else {
                metrics.otherRun();
            }
        } catch (WireException | IllegalArgumentException e) {
            String runId = settings.admission().runId();
            context.output(
                    outputs.rejects(),
                    new Reject(runId, STAGE, "unreadable", record.where(), e.getMessage()));
        }
    }

    private void ofThisRun(TopicRecord record) {
        GateTopics topics = settings.topics();
        byte[] value = record.value();
        if (record.topic().equals(topics.tasks())) {
            book.task(Wire.decode(value, Task.class));
        } else if (record.topic().equals(topics.groups())) {
            book.closed(Wire.decode(value, GroupRecord.class));
        } else if (record.topic().equals(topics.policies())) {
            book.policy(Wire.decode(value, PolicyRecord.class));
        } else if (record.topic().equals(topics.progress())) {
            book.progress(Wire.decode(value, ProgressRecord.class));
        } else {
            throw new IllegalArgumentException("The gate does not hear this topic");
        }
    }

    private void row(TopicRecord record, Context context) {
        RowPosition at = new RowPosition(record.partition(), record.offset());
        Task task = null;
        try {
            task = settings.rows().decoder().task(record.value());
        } catch (IllegalArgumentException e) {
            context.output(
                    outputs.rejects(),
                    new Reject(
                            settings.admission().runId(),
                            Reject.TASKS,
                            Reject.MALFORMED_TASK_ROW,
                            record.where(),
                            e.getMessage()));
        }
        book.row(at, Optional.ofNullable(task));
    }

    private void event(StepEvent event) {
        if (!event.itemId().startsWith(settings.admission().runId() + "/")) {
            metrics.otherRun();
        } else if (event.kind() == StepEvent.Kind.ADMITTED) {
            book.admitted(event.admission());
        } else {
            book.ended(event);
        }
    }

    private void sayWaiting() {
        boolean waiting = book.waitsForRows();
        if (waiting && !waitingSaid) {
            LOG.info("Waiting for task rows topic={}", settings.rows().topic());
        }
        waitingSaid = waiting;
    }

    private void sayStarved() {
        boolean starved = book.starved();
        if (starved && !starvedSaid) {
            LOG.warn("STARVED: no group taught anything lately accounts={}", book.balance());
        }
        starvedSaid = starved;
    }
}
