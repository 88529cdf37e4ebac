package dev.millrace.jobs.view;

import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The versions that the run's newest weights descend from. Each epoch forks from its parent at a
 * step; what the parent published beyond it is no part of the run any more.
 */
final class Lineage {
    private record Fork(long parent, long step) {}

    /** A publication and when it was made. */
    record Published(PolicyRecord policy, long millis) {}

    private final TreeMap<Long, Fork> forks = new TreeMap<>();
    private final Map<PolicyVersion, Published> published = new HashMap<>();

    /**
     * Adds a record, in the order of their topic; the first of its epoch, or of its version,
     * counts. A publication of an older epoch than the newest is the late word of a trainer that
     * was replaced, and is left out.
     */
    void add(PolicyRecord policy, long millis) {
        if (policy.kind() == PolicyRecord.Kind.FAILED) {
            return;
        }
        boolean replaced = !forks.isEmpty() && policy.epoch() < forks.lastKey();
        if (policy.kind() == PolicyRecord.Kind.PUBLICATION && replaced) {
            return;
        }
        if (policy.kind() == PolicyRecord.Kind.ANNOUNCE) {
            forks.putIfAbsent(policy.epoch(), new Fork(policy.parentEpoch(), policy.step()));
        } else {
            forks.putIfAbsent(policy.epoch(), new Fork(policy.parentEpoch(), -1));
            published.putIfAbsent(policy.version(), new Published(policy, millis));
        }
    }

    /** Steps that the newest weights hold; 0 before the first step. */
    long step() {
        return head().map(p -> p.policy().step()).orElse(0L);
    }

    /** The newest publication that still counts. */
    Optional<Published> head() {
        List<Published> line = line();
        return line.isEmpty() ? Optional.empty() : Optional.of(line.get(line.size() - 1));
    }

    /** The publications that still count, by step. */
    List<Published> line() {
        TreeMap<Long, Published> bySteps = new TreeMap<>();
        long ceiling = Long.MAX_VALUE;
        Long epoch = forks.isEmpty() ? null : forks.lastKey();
        while (epoch != null && forks.containsKey(epoch)) {
            long newest = ceiling;
            long own = epoch;
            published.forEach(
                    (version, record) -> {
                        if (version.epoch() == own && version.step() <= newest) {
                            bySteps.putIfAbsent(version.step(), record);
                        }
                    });
            Fork fork = forks.get(epoch);
            ceiling = Math.min(ceiling, fork.step());
            epoch = fork.parent() < epoch ? fork.parent() : null;
        }
        return new ArrayList<>(bySteps.values());
    }

    /**
     * Whether what was said under an epoch about one of its steps is part of the newest epoch's
     * history. A later word need not be: the newest may go on from an older epoch than the one that
     * said it.
     */
    boolean counts(ProgressRecord said) {
        if (forks.isEmpty() || said.epoch() > forks.lastKey()) {
            return true;
        }
        long ceiling = Long.MAX_VALUE;
        long epoch = forks.lastKey();
        while (epoch > said.epoch() && forks.containsKey(epoch)) {
            Fork fork = forks.get(epoch);
            ceiling = Math.min(ceiling, fork.step());
            epoch = Math.min(fork.parent(), epoch - 1);
        }
        return epoch == said.epoch() && said.step() < ceiling;
    }

    /**
     * Steps between the version that played a group and the one that trains on it: through the fork
     * when they are on different branches.
     *
     * @param played version that the group was admitted at
     * @param epoch of the trainer that took it
     * @param step that the trainer had reached
     */
    long lag(PolicyVersion played, long epoch, long step) {
        long fork = Long.MAX_VALUE;
        Long at = epoch;
        while (at != null && at > played.epoch() && forks.containsKey(at)) {
            Fork own = forks.get(at);
            fork = Math.min(fork, own.step());
            at = own.parent() < at ? own.parent() : null;
        }
        long lag =
                played.step() <= fork
                        ? step - played.step()
                        : (step - fork) + (played.step() - fork);
        return Math.max(0, lag);
    }
}
