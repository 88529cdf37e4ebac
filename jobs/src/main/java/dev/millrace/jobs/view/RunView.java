package dev.millrace.jobs.view;

import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A fold over the topics of one run. The first record of a group id is that group; steps count
 * along the surviving lineage of epochs. Topics may come in any order relative to each other.
 * Thread-safe.
 */
public final class RunView implements RunRecords {
    private static final int BATCHES = 3;
    private static final int PACE_STEPS = 7;

    private final RunShape shape;
    private final Lineage lineage = new Lineage();
    private final TrainingGroups groups = new TrainingGroups();
    private final EvaluationRounds rounds;
    private final OpenAttempts attempts = new OpenAttempts();
    private final Map<String, Long> rejects = new TreeMap<>();
    private boolean drained;
    private boolean complete;
    private String endedEarly = "";

    /** An empty view of a run. */
    public RunView(RunShape shape) {
        this.shape = shape;
        this.rounds = new EvaluationRounds(shape.evalTasks());
    }

    @Override
    public void group(GroupRecord group, long millis) {
        closed(group);
    }

    /**
     * Takes a line of {@code groups}; returns the evaluation round that it belongs to, when it is
     * the first record of an evaluation group.
     */
    synchronized Optional<EvalRound> closed(GroupRecord group) {
        if (!group.runId().equals(shape.runId())) {
            return Optional.empty();
        }
        if (group.drained()) {
            drained = true;
            endedEarly = group.cause() == null ? "" : group.cause();
            return Optional.empty();
        }
        attempts.groupClosed(group.groupId());
        if (group.lane() == Lane.EVAL) {
            return rounds.closed(group);
        }
        groups.closed(group);
        return Optional.empty();
    }

    @Override
    public synchronized void policy(PolicyRecord policy, long millis) {
        if (policy.runId().equals(shape.runId())) {
            lineage.add(policy, millis);
            groups.trainer(policy);
        }
    }

    @Override
    public synchronized void progress(ProgressRecord progress, long millis) {
        if (progress.runId().equals(shape.runId())
                && progress.kind() != ProgressRecord.Kind.DRAINED) {
            groups.progress(progress);
        }
    }

    @Override
    public synchronized void step(StepEvent event, long millis) {
        if (!event.itemId().startsWith(shape.runId() + "/")) {
            return;
        }
        if (event.admission() != null && event.admission().lane() == Lane.TRAIN) {
            groups.admitted(event.admission().groupId());
        }
        attempts.step(event, millis, id -> groups.isClosed(id) || rounds.isClosed(id));
    }

    /**
     * Takes what a ledger keeps of a journal line.
     *
     * @param trainingGroup the training group that an admission belongs to, else empty
     */
    synchronized void journal(String runId, String trainingGroup, String kind) {
        if (!runId.equals(shape.runId())) {
            return;
        }
        if (!trainingGroup.isEmpty()) {
            groups.admitted(trainingGroup);
        }
        attempts.count(kind);
    }

    @Override
    public synchronized void reject(Reject reject, long millis) {
        if (reject.runId().isEmpty() || reject.runId().equals(shape.runId())) {
            rejects.merge(reject.reason(), 1L, Long::sum);
        }
    }

    /** The run as far as it has been read. */
    public synchronized RunStatus status(long nowMillis) {
        int last = BATCHES * shape.groupsPerBatch();
        Optional<PolicyRecord> head = lineage.head().map(Lineage.Published::policy);
        return new RunStatus(
                shape,
                lineage.step(),
                head.map(PolicyRecord::version).orElse(PolicyVersion.NONE),
                groups.reward(last),
                groups.firstReward(last),
                groups.curve(shape.groupsPerBatch()),
                groups.mixedRate(last),
                accounts(),
                groups.lag(lineage),
                attempts.activity(nowMillis),
                head.map(policy -> metrics(policy)).orElse(Map.of()),
                rounds.rounds(),
                new TreeMap<>(rejects),
                timeLeft(),
                drained,
                starved(),
                endedEarly);
    }

    /** Says that all was read that the run has written: from now on what is missing is missing. */
    public synchronized void readToTheEnd() {
        complete = true;
    }

    /** What contradicts the accounts so far. */
    public synchronized List<String> violations() {
        return groups.violations(lineage, shape.groupsPerBatch(), complete && drained);
    }

    private Accounts accounts() {
        Accounts accounts = groups.accounts(lineage);
        return new Accounts(
                accounts.offered(),
                accounts.trained(),
                accounts.droppedByCause(),
                accounts.open(),
                violations());
    }

    /** Whether so many groups in a row taught nothing that the run learns nothing. */
    synchronized boolean starved() {
        return groups.unmixedInARow()
                >= (long) AdmissionBook.STARVING_BATCHES * shape.groupsPerBatch();
    }

    private static Map<String, Double> metrics(PolicyRecord policy) {
        return policy.metrics() == null ? Map.of() : new TreeMap<>(policy.metrics());
    }

    /** The middle one of the last steps' times, so that a pause in between counts for little. */
    private Optional<Duration> timeLeft() {
        List<Lineage.Published> line = lineage.line();
        List<Long> times = new ArrayList<>();
        for (int i = Math.max(1, line.size() - PACE_STEPS); i < line.size(); i++) {
            long steps = line.get(i).policy().step() - line.get(i - 1).policy().step();
            times.add((line.get(i).millis() - line.get(i - 1).millis()) / Math.max(1, steps));
        }
        if (times.isEmpty()) {
            return Optional.empty();
        }
        Collections.sort(times);
        long left = Math.max(0, shape.totalSteps() - lineage.step());
        return Optional.of(Duration.ofMillis(left * times.get(times.size() / 2)));
    }
}
