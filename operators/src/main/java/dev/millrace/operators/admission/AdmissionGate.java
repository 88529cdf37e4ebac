package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.operators.watch.SeveralKeys;
import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.admission.SharedSlots;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits attempts, and ends the job. Runs once (parallelism 1), for all runs of the job, each of
 * which has a book of its own; what is played is {@link AdmissionBook}'s decision, and whose turn
 * it is that of {@link SharedSlots}. It admits nothing before it has heard all that its topics held
 * when it opened.
 *
 * <p>Ending: once nothing of a run is open it sends the mark behind the run's last group; once
 * every other region has passed the marks of all runs and a checkpoint that covers this is
 * complete, it has the final markers written.
 *
 * <p>Training tasks come from the catalogue of each run, or as rows of a topic that others write.
 * Of those it says how far they may be read, so that few wait here: it takes every record at once
 * and blocks nothing. While there is no row it is idle.
 *
 * <p>A task whose verifier gave no verdict so many times in a row is left alone for a while: a
 * group of it that is due closes without having been played, and a reject says so.
 *
 * <p>While infrastructure is away it waits, longer each time, by a timer.
 *
 * <p>At each closed step it gives out the balance of all groups of the run. A balance that does not
 * hold is said aloud, counted and refused, by the ids it names; the run goes on.
 *
 * <p>State: a {@link GateState} under each run's key. It ends with the job.
 */
public final class AdmissionGate extends KeyedProcessFunction<String, TopicRecord, Admission>
        implements CheckpointedFunction, CheckpointListener, SeveralKeys {
    private static final long serialVersionUID = 3L;
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionGate.class);
    private static final String STAGE = "admission";

    /** Regions that answer the mark behind the last group of a run. */
    private static final List<String> SOURCES = List.of("learn", "ledger");

    private final GateSettings settings;
    private final GateOutputs outputs;
    private transient Consumer<String> switchKey;
    private transient List<GateState> kept;
    private transient Map<String, GateRun> runs;
    private transient SharedSlots slots;
    private transient CaughtUp caughtUp;
    private transient Ending ending;
    private transient MetricGroup metrics;
    private transient Counter otherRuns;

    /** A gate of a job: all that it hears must be keyed by the job. */
    public AdmissionGate(GateSettings settings, GateOutputs outputs) {
        this.settings = settings;
        this.outputs = outputs;
    }

    @Override
    public void switchKeysBy(Consumer<String> switcher) {
        switchKey = switcher;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        kept = new ArrayList<>();
        for (RunShare run : settings.runs()) {
            AdmissionSettings of = run.admission();
            kept.add(new GateState(context, of, () -> switchKey.accept(of.runId())));
        }
    }

    @Override
    public void open(OpenContext context) {
        caughtUp = new CaughtUp(settings.topics().all());
        ending = new Ending(settings.finalMarkers());
        metrics = getRuntimeContext().getMetricGroup().addGroup(STAGE);
        otherRuns = metrics.counter("otherRuns");
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<Admission> out)
            throws Exception {
        ending.check();
        wake(context);
        Set<GateRun> changed = new LinkedHashSet<>();
        switch (record.kind()) {
            case CAUGHT_UP -> {
                caughtUp.hear(record);
                changed.addAll(runs.values());
            }
            case DATA -> hear(record, context).ifPresent(changed::add);
            case FINAL -> {
                // The job is over; the sources end by themselves.
            }
        }
        admit(changed, context, out);
    }

    /** A pause of a run may be over. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<Admission> out)
            throws Exception {
        ending.check();
        wake(context);
        admit(new LinkedHashSet<>(runs.values()), context, out);
    }

    private void wake(Context context) throws Exception {
        if (runs == null) {
            read();
        }
        long now = context.timerService().currentProcessingTime();
        runs.values().forEach(run -> run.book().at(now));
    }

    /** Admits what may begin, and keeps what has changed. */
    private void admit(Set<GateRun> changed, Context context, Collector<Admission> out)
            throws Exception {
        long now = context.timerService().currentProcessingTime();
        changed.forEach(run -> slots.changed(run.book()));
        if (caughtUp.all()) {
            for (Admission admission : slots.admit(() -> UUID.randomUUID().toString(), now)) {
                out.collect(admission);
                changed.add(runs.get(admission.runId()));
            }
            changed.forEach(run -> review(run, context));
        }
        for (GateRun run : changed) {
            run.keep();
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        ending.check();
        if (runs == null) {
            return;
        }
        runs.values().forEach(run -> run.metrics().show(run.book().balance()));
        if (runs.values().stream().allMatch(run -> run.book().passedBy(SOURCES))) {
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

    /** The state of a run can be read once there is a key. */
    private void read() throws Exception {
        Map<String, GateRun> read = new LinkedHashMap<>();
        for (int i = 0; i < kept.size(); i++) {
            AdmissionSettings run = settings.runs().get(i).admission();
            MetricGroup group = kept.size() == 1 ? metrics : metrics.addGroup("run", run.runId());
            read.put(run.runId(), new GateRun(run, settings, kept.get(i), new GateMetrics(group)));
        }
        runs = read;
        slots =
                new SharedSlots(
                        settings.slots(),
                        runs.values().stream().map(GateRun::book).toList(),
                        settings.runs().stream().map(RunShare::weight).toList());
    }

    private void review(GateRun run, Context context) {
        run.book().rowDemand().ifPresent(demand -> context.output(outputs.rowDemand(), demand));
        run.book().takeRefused().forEach(group -> refuse(run, group, context));
        run.book().takeOutage().ifPresent(cause -> sayAway(run, cause, context));
        run.book().resumesAt().ifPresent(context.timerService()::registerProcessingTimeTimer);
        run.sayStarved();
        run.rows().sayWaiting();
        run.drained().ifPresent(mark -> context.output(outputs.groups(), mark));
        run.book().closedSteps().forEach(closed -> balance(run, closed, context));
    }

    private void sayAway(GateRun run, String cause, Context context) {
        LOG.warn(
                "Groups lose all their attempts, it is waited run={} cause={}", run.runId(), cause);
        context.output(
                outputs.rejects(),
                new Reject(
                        run.runId(),
                        STAGE,
                        Reject.INFRASTRUCTURE_AWAY,
                        cause,
                        "groups in a row lost all their attempts; they are tried one at a time"
                                + " until one gets through"));
    }

    /** Closes a group that is not played; the gate, too, hears of it from the topic. */
    private void refuse(GateRun run, GroupRecord group, Context context) {
        run.metrics().notPlayed();
        context.output(outputs.groups(), group);
        context.output(
                outputs.rejects(),
                new Reject(
                        group.runId(),
                        STAGE,
                        group.cause(),
                        group.task().uri(),
                        "its verifier gave no verdict lately: not played " + group.groupId()));
    }

    private void balance(GateRun run, ProgressRecord closed, Context context) {
        context.output(outputs.progress(), closed);
        run.metrics().show(closed.accounts());
        if (closed.accounts().violations().isEmpty()) {
            return;
        }
        run.metrics().violated();
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

    /** The run that a record is about, after it has heard it. */
    private Optional<GateRun> hear(TopicRecord record, Context context) {
        if (settings.hasRowsIn(record.topic())) {
            GateRun only = runs.values().iterator().next();
            only.rows().hear(record).ifPresent(no -> context.output(outputs.rejects(), no));
            return Optional.of(only);
        }
        String runId = Admission.runOf(record.key());
        try {
            if (record.topic().equals(settings.topics().turns())) {
                StepEvent event = Wire.decode(record.value(), StepEvent.class);
                runId = Admission.runOf(event.itemId());
                run(runId).ifPresent(run -> run.hear(event));
            } else {
                run(runId).ifPresent(run -> run.hear(record));
            }
            if (!runs.containsKey(runId)) {
                otherRuns.inc();
            }
        } catch (WireException | IllegalArgumentException e) {
            context.output(
                    outputs.rejects(),
                    new Reject(named(runId), STAGE, "unreadable", record.where(), e.getMessage()));
        }
        return run(runId);
    }

    /** The run, or the only one there is; empty when it can be any. */
    private String named(String runId) {
        String only = runs.size() == 1 ? runs.keySet().iterator().next() : "";
        return runs.containsKey(runId) ? runId : only;
    }

    private Optional<GateRun> run(String runId) {
        return Optional.ofNullable(runs.get(runId));
    }
}
