package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.admission.AdmissionState;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
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
 * <p>State: one {@link AdmissionState}, encoded. It ends with the run.
 */
public final class AdmissionGate extends ProcessFunction<TopicRecord, Admission>
        implements CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionGate.class);
    private static final String STAGE = "admission";

    /** Regions that answer the mark behind the last group. */
    private static final List<String> SOURCES = List.of("learn", "ledger");

    private final GateSettings settings;
    private final OutputTag<GroupRecord> groups;
    private final OutputTag<Reject> rejects;
    private transient ListState<byte[]> kept;
    private transient AdmissionState restored;
    private transient AdmissionBook book;
    private transient CaughtUp caughtUp;
    private transient Ending ending;
    private transient Counter otherRuns;
    private transient boolean starvedSaid;

    /**
     * @param groups where the mark behind the last group goes
     * @param rejects where records go that can't be read
     */
    public AdmissionGate(
            GateSettings settings, OutputTag<GroupRecord> groups, OutputTag<Reject> rejects) {
        this.settings = settings;
        this.groups = groups;
        this.rejects = rejects;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        kept =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "book",
                                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        restored = new AdmissionState();
        for (byte[] state : kept.get()) {
            restored = Wire.decode(state, AdmissionState.class);
        }
    }

    @Override
    public void open(OpenContext context) {
        book = new AdmissionBook(settings.admission(), restored);
        caughtUp = new CaughtUp(settings.topics().all());
        ending = new Ending(settings.finalMarkers());
        MetricGroup metrics = getRuntimeContext().getMetricGroup().addGroup(STAGE);
        otherRuns = metrics.counter("otherRuns");
        metrics.gauge("occupiedSlots", () -> book.occupiedSlots());
        metrics.gauge("starved", () -> book.starved() ? 1 : 0);
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<Admission> out) {
        ending.check();
        switch (record.kind()) {
            case CAUGHT_UP -> caughtUp.hear(record);
            case DATA -> hear(record, context);
            case FINAL -> {
                // The run is over; the sources end by themselves.
            }
        }
        if (!caughtUp.all()) {
            return;
        }
        book.admit(() -> UUID.randomUUID().toString()).forEach(out::collect);
        sayStarved();
        if (!book.drained() && book.exhausted()) {
            LOG.info("Nothing is open any more accounts={}", book.accounts());
            book.markDrained();
            context.output(
                    groups,
                    GroupRecord.drained(
                            settings.admission().runId(),
                            book.gaveUp() ? GroupRecord.STARVED : ""));
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        ending.check();
        if (book.passedBy(SOURCES)) {
            ending.covered(context.getCheckpointId());
        }
        kept.update(List.of(Wire.encode(book.state())));
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

    private void hear(TopicRecord record, Context context) {
        try {
            if (record.topic().equals(settings.topics().turns())) {
                event(Wire.decode(record.value(), StepEvent.class));
            } else if (record.key().equals(settings.admission().runId())) {
                ofThisRun(record);
            } else {
                otherRuns.inc();
            }
        } catch (WireException | IllegalArgumentException e) {
            String runId = settings.admission().runId();
            context.output(
                    rejects,
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

    private void event(StepEvent event) {
        if (!event.itemId().startsWith(settings.admission().runId() + "/")) {
            otherRuns.inc();
        } else if (event.kind() == StepEvent.Kind.ADMITTED) {
            book.admitted(event.admission());
        } else {
            book.ended(event);
        }
    }

    private void sayStarved() {
        boolean starved = book.starved();
        if (starved && !starvedSaid) {
            LOG.warn("STARVED: no group taught anything lately accounts={}", book.accounts());
        }
        starvedSaid = starved;
    }
}
