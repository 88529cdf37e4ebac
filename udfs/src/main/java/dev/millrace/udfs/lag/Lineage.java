package dev.millrace.udfs.lag;

import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The tree of a run's epochs. Version (e, s) is s steps along epoch e; an epoch shares the first
 * steps of its parent, up to where it forks. Epoch 0 is the initial policy and needs no
 * announcement.
 */
public final class Lineage {
    private final TreeMap<Long, Fork> forks = new TreeMap<>();

    /** A tree without epochs. */
    public Lineage() {}

    /** A tree as it was kept. */
    public Lineage(Collection<Fork> announced) {
        announced.forEach(this::add);
    }

    /** Adds an epoch; the first announcement of an epoch is the one that counts. */
    public void add(Fork fork) {
        if (fork.parentEpoch() >= fork.epoch()) {
            throw new IllegalArgumentException(
                    "An epoch continues an older one, but epoch "
                            + fork.epoch()
                            + " was announced with parent "
                            + fork.parentEpoch());
        }
        forks.putIfAbsent(fork.epoch(), fork);
    }

    /** Adds the epoch that a record announces. */
    public void add(PolicyRecord announcement) {
        add(new Fork(announcement.epoch(), announcement.parentEpoch(), announcement.step()));
    }

    /** What to keep, by epoch. */
    public List<Fork> forks() {
        return List.copyOf(forks.values());
    }

    /** The newest announced epoch, 0 when there is none. */
    public long newestEpoch() {
        return forks.isEmpty() ? 0 : forks.lastKey();
    }

    /**
     * Whether what is said under an epoch counts when it comes after the announcements that are
     * known here: under an older epoch than the newest it is the late word of a trainer that
     * another one has replaced.
     */
    public boolean isCurrent(long epoch) {
        return epoch >= newestEpoch();
    }

    /** Where an epoch leaves its parent; 0 for an unknown one. */
    public long forkStep(long epoch) {
        return forks.containsKey(epoch) ? forks.get(epoch).step() : 0;
    }

    /**
     * How many steps of an epoch are part of the newest epoch's history: all that come are when it
     * is the newest itself, -1 when it is no ancestor.
     */
    public long survivingSteps(long epoch) {
        NavigableMap<Long, Long> path = path(new PolicyVersion(newestEpoch(), Long.MAX_VALUE));
        return path.getOrDefault(epoch, -1L);
    }

    /**
     * Whether what was said under an epoch about one of its steps holds for the newest epoch too. A
     * later word need not: its epoch may have been left behind for an older one, from which the
     * newest goes on.
     */
    public boolean counts(ProgressRecord said) {
        return isCurrent(said.epoch()) || said.step() < survivingSteps(said.epoch());
    }

    /**
     * Steps between two versions: back from one to where their histories meet, and forth to the
     * other. Never below 0.
     *
     * @param current what is being trained
     * @param version what sampled
     */
    public long lag(PolicyVersion current, PolicyVersion version) {
        long common = commonSteps(current, version);
        return (current.step() - common) + (version.step() - common);
    }

    /** Whether all steps of {@code version} are part of {@code current}. */
    public boolean contains(PolicyVersion current, PolicyVersion version) {
        return commonSteps(current, version) >= version.step();
    }

    private long commonSteps(PolicyVersion a, PolicyVersion b) {
        NavigableMap<Long, Long> pathOfA = path(a);
        NavigableMap<Long, Long> pathOfB = path(b);
        for (long epoch : pathOfA.descendingKeySet()) {
            if (pathOfB.containsKey(epoch)) {
                return Math.min(pathOfA.get(epoch), pathOfB.get(epoch));
            }
        }
        throw new IllegalStateException("Every history starts in epoch 0");
    }

    /** Epochs from a version back to the initial policy, with the steps it has from each. */
    private NavigableMap<Long, Long> path(PolicyVersion version) {
        TreeMap<Long, Long> path = new TreeMap<>();
        long epoch = version.epoch();
        long steps = version.step();
        path.put(epoch, steps);
        while (epoch > 0) {
            Fork fork = forks.getOrDefault(epoch, new Fork(epoch, 0, 0));
            epoch = fork.parentEpoch();
            steps = Math.min(steps, fork.step());
            path.put(epoch, steps);
        }
        return path;
    }
}
