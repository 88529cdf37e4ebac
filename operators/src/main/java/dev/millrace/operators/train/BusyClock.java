package dev.millrace.operators.train;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How long the trainer did what, since it was last asked. The parts add up to the time passed. */
final class BusyClock {
    private final LongSupplier millis;
    private final Map<Doing, Long> spent = new EnumMap<>(Doing.class);
    private long since;
    private Doing now = Doing.WAITING;

    /** What a trainer does. */
    enum Doing {
        /** Forward and backward passes and updates. */
        TRAINING,
        /** All that was trained is answered; a state or a version is still to be stored. */
        STORING,
        /** There is no minibatch. */
        WAITING
    }

    BusyClock(LongSupplier millis) {
        this.millis = millis;
        this.since = millis.getAsLong();
    }

    void set(Doing next) {
        count();
        now = next;
    }

    long take(Doing doing) {
        count();
        Long taken = spent.remove(doing);
        return taken == null ? 0 : taken;
    }

    private void count() {
        long at = millis.getAsLong();
        spent.merge(now, at - since, Long::sum);
        since = at;
    }
}
