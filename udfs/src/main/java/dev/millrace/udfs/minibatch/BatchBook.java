package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.group.IndexSet;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which groups make up which minibatch of which step: a function of the order of closed groups and
 * of the epochs that were announced, of nothing else. Groups go in as they come; the first record
 * of a group is that group; a minibatch leaves as soon as it is full.
 *
 * <p>Not thread-safe.
 */
public final class BatchBook {
    /** Says which region speaks in a progress record. */
    public static final String SOURCE = "learn";

    /** Cause of groups sampled by weights that are too old. */
    public static final String STALE = "stale";

    /** Cause of groups that close when no step needs them any more. */
    public static final String SURPLUS = "surplus";

    private final BatchSettings settings;
    private final Lineage lineage;
    private final IndexSet seen;
    private final List<TakenGroup> filling;
    private final List<ProgressRecord> decided;
    private long epoch;
    private long step;
    private int minibatch;

    /**
     * Goes on from what was kept.
     *
     * @param lineage epochs announced so far, the claimed one included once {@link #claim} is
     *     called
     */
    public BatchBook(BatchSettings settings, BatchState state, Lineage lineage) {
        this.settings = settings;
        this.lineage = lineage;
        this.seen = new IndexSet(state.seen());
        this.filling = new ArrayList<>(state.filling());
        this.decided = new ArrayList<>(state.decided());
        this.epoch = state.epoch();
        this.step = state.step();
        this.minibatch = state.minibatch();
    }

    /** Steps whose minibatches have all left: where a new epoch forks. */
    public long completeSteps() {
        return step;
    }

    /** The epoch it acts under. */
    public long epoch() {
        return epoch;
    }

    /**
     * Acts under a new epoch from now on.
     *
     * @return what was said since the step began, said again: the fork leaves it outside its parent
     */
    public List<ProgressRecord> claim(EpochClaim claim) {
        if (claim.epoch() <= epoch) {
            throw new IllegalArgumentException(
                    "Epoch " + claim.epoch() + " does not follow epoch " + epoch);
        }
        epoch = claim.epoch();
        decided.replaceAll(this::underThisEpoch);
        return List.copyOf(decided);
    }

    /** Takes the next record of the topic of closed groups. */
    public BatchOutput take(GroupRecord group) {
        if (!group.runId().equals(settings.runId())) {
            return BatchOutput.NOTHING;
        }
        if (group.drained()) {
            return isAhead(group) ? BatchOutput.NOTHING : drain();
        }
        boolean first = group.lane() == Lane.TRAIN && seen.add(group.groupIndex());
        if (!first || group.verdict() != Verdict.MIXED) {
            return BatchOutput.NOTHING;
        }
        long lag = lag(group);
        if (step >= settings.steps()) {
            return BatchOutput.of(List.of(drop(group, SURPLUS)));
        }
        if (lag > settings.maxLag()) {
            return BatchOutput.of(List.of(drop(group, STALE)));
        }
        filling.add(new TakenGroup(group, lag));
        ProgressRecord taken = decide(ProgressRecord.Kind.TAKEN, group, "");
        if (filling.size() < settings.groupsPerMinibatch()) {
            return BatchOutput.of(List.of(taken));
        }
        return complete(taken);
    }

    /** What to keep. */
    public BatchState state() {
        return new BatchState(
                epoch, step, minibatch, seen.state(), List.copyOf(filling), List.copyOf(decided));
    }

    private BatchOutput complete(ProgressRecord taken) {
        double lagMean = filling.stream().mapToLong(TakenGroup::lag).average().orElse(0);
        List<GroupRecord> groups = filling.stream().map(TakenGroup::group).toList();
        BatchOutput full =
                new BatchOutput(
                        List.of(taken),
                        MinibatchPreparation.minibatch(settings, epoch, step, minibatch, groups),
                        lagMean);
        filling.clear();
        minibatch++;
        if (minibatch == settings.minibatchesPerStep()) {
            minibatch = 0;
            step++;
            decided.clear();
        }
        return full;
    }

    /** Whether a mark was given out in a history that this one has left: groups follow it. */
    private boolean isAhead(GroupRecord mark) {
        return mark.policy() != null && mark.policy().version().step() > step;
    }

    /** A step that never became complete trains nothing, whatever of it has left. */
    private BatchOutput drain() {
        List<ProgressRecord> said = new ArrayList<>();
        for (ProgressRecord taken : List.copyOf(decided)) {
            if (taken.kind() == ProgressRecord.Kind.TAKEN) {
                said.add(dropped(taken));
            }
        }
        decided.removeIf(d -> d.kind() == ProgressRecord.Kind.TAKEN);
        decided.addAll(said);
        filling.clear();
        said.add(
                new ProgressRecord(
                        settings.runId(),
                        ProgressRecord.Kind.DRAINED,
                        SOURCE,
                        epoch,
                        "",
                        -1,
                        step,
                        ""));
        return BatchOutput.of(said);
    }

    /** Lag of the oldest weights that sampled any of a group's counted tokens. */
    private long lag(GroupRecord group) {
        PolicyVersion current = new PolicyVersion(epoch, step);
        Stream<PolicyVersion> sampled =
                group.attempts().stream()
                        .filter(AttemptSummary::valid)
                        .map(AttemptSummary::oldestVersion);
        return Stream.concat(Stream.of(group.policy().version()), sampled)
                .mapToLong(version -> lineage.lag(current, version))
                .max()
                .orElse(0);
    }

    private ProgressRecord drop(GroupRecord group, String cause) {
        return decide(ProgressRecord.Kind.DROPPED, group, cause);
    }

    private ProgressRecord dropped(ProgressRecord taken) {
        return new ProgressRecord(
                settings.runId(),
                ProgressRecord.Kind.DROPPED,
                SOURCE,
                epoch,
                taken.groupId(),
                taken.groupIndex(),
                step,
                SURPLUS);
    }

    private ProgressRecord decide(ProgressRecord.Kind kind, GroupRecord group, String cause) {
        ProgressRecord said =
                new ProgressRecord(
                        settings.runId(),
                        kind,
                        SOURCE,
                        epoch,
                        group.groupId(),
                        group.groupIndex(),
                        step,
                        cause);
        decided.add(said);
        return said;
    }

    private ProgressRecord underThisEpoch(ProgressRecord said) {
        return new ProgressRecord(
                said.runId(),
                said.kind(),
                said.source(),
                epoch,
                said.groupId(),
                said.groupIndex(),
                said.step(),
                said.cause());
    }
}
