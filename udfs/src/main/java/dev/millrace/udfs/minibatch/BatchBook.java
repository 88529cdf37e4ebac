package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.group.IndexSet;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which groups make up which minibatch of which step: a function of the order of closed groups and
 * of the epochs that were announced, of nothing else. Groups go in as they come; the first record
 * of a group is that group; a minibatch leaves as soon as it is full.
 *
 * <p>In lockstep groups are taken in the order of their indexes, so that it is a function of the
 * set of closed groups alone. A step of any epoch then has the same weights, so lag is counted in
 * steps whatever their epochs, and every group was sampled by exactly the step that trains on it.
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
    private final GroupOrder order;
    private long epoch;
    private long step;
    private int minibatch;
    private boolean drained;

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
        this.order = new GroupOrder(state.order());
        this.drained = state.drained();
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
        List<ProgressRecord> saidAgain = new ArrayList<>(decided);
        if (drained) {
            saidAgain.add(drainedMark());
        }
        return saidAgain;
    }

    /**
     * Hears the next record of the topic of closed groups.
     *
     * @return what became of each group whose turn it was: of this one, of none, or of this one and
     *     those that waited for it
     * @throws IllegalStateException in lockstep, naming a group that other weights sampled than
     *     those of the step it belongs to
     */
    public List<BatchOutput> hear(GroupRecord group) {
        if (!settings.lockstep() || !group.runId().equals(settings.runId())) {
            return List.of(take(group));
        }
        List<BatchOutput> outputs = new ArrayList<>();
        if (group.drained()) {
            order.rest().forEach(waiting -> outputs.add(take(waiting)));
            outputs.add(take(group));
        } else if (group.lane() == Lane.TRAIN) {
            order.add(group).forEach(due -> outputs.add(take(due)));
        }
        return outputs;
    }

    /** Takes the next group in its order. */
    public BatchOutput take(GroupRecord group) {
        if (!group.runId().equals(settings.runId())) {
            return BatchOutput.NOTHING;
        }
        if (group.drained()) {
            return isAhead(group) ? BatchOutput.NOTHING : drain();
        }
        boolean first = group.lane() == Lane.TRAIN && seen.add(group.groupIndex());
        if (!first || !group.verdict().trains()) {
            return BatchOutput.NOTHING;
        }
        long lag = lag(group);
        if (step >= settings.steps()) {
            return BatchOutput.of(List.of(drop(group, SURPLUS)));
        }
        if (lag > settings.maxLag()) {
            requireFree(group, lag);
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
                epoch,
                step,
                minibatch,
                seen.state(),
                List.copyOf(filling),
                List.copyOf(decided),
                order.state(),
                drained);
    }

    private void requireFree(GroupRecord group, long lag) {
        if (settings.lockstep()) {
            throw new IllegalStateException(
                    "Lockstep is broken: group "
                            + group.groupId()
                            + " was sampled "
                            + lag
                            + " steps away from step "
                            + step
                            + ", to which it belongs");
        }
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
        drained = true;
        said.add(drainedMark());
        return BatchOutput.of(said);
    }

    private ProgressRecord drainedMark() {
        return new ProgressRecord(
                settings.runId(), ProgressRecord.Kind.DRAINED, SOURCE, epoch, "", -1, step, "");
    }

    /** Lag of the oldest weights that sampled any of a group's counted tokens. */
    private long lag(GroupRecord group) {
        PolicyVersion current = new PolicyVersion(epoch, step);
        Stream<PolicyVersion> sampled =
                group.attempts().stream()
                        .filter(AttemptSummary::valid)
                        .map(AttemptSummary::oldestVersion);
        return Stream.concat(Stream.of(group.policy().version()), sampled)
                .mapToLong(version -> between(current, version))
                .max()
                .orElse(0);
    }

    private long between(PolicyVersion current, PolicyVersion version) {
        return settings.lockstep()
                ? Math.abs(current.step() - version.step())
                : lineage.lag(current, version);
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
