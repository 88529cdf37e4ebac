package dev.millrace.udfs.group;

import java.util.List;
import java.util.TreeSet;

/** A set of indexes that mostly fills up from 0: a low watermark and the exceptions above it. */
public final class IndexSet {
    private final TreeSet<Long> above;
    private long below;

    /** The empty set. */
    public IndexSet() {
        this(new State(0, List.of()));
    }

    /** A set as it was kept. */
    public IndexSet(State state) {
        this.below = state.below();
        this.above = new TreeSet<>(state.above());
    }

    /** Adds an index; false when it was there: this is not the first record of it. */
    public boolean add(long index) {
        if (contains(index)) {
            return false;
        }
        above.add(index);
        while (above.remove(below)) {
            below++;
        }
        return true;
    }

    /** Whether an index was added. */
    public boolean contains(long index) {
        return index < below || above.contains(index);
    }

    /** How many were added. */
    public long size() {
        return below + above.size();
    }

    /** What to keep. */
    public State state() {
        return new State(below, List.copyOf(above));
    }

    /**
     * The set on the wire.
     *
     * @param below all indexes under it are in the set
     * @param above members at or over it, ascending
     */
    public record State(long below, List<Long> above) {}
}
