package dev.millrace.operators.train;

import java.util.function.LongSupplier;

/** How long there was something to do, and how long there was not, since it was last read. */
final class BusyClock {
    private final LongSupplier millis;
    private long since;
    private long busyMillis;
    private long idleMillis;
    private boolean busy;

    BusyClock(LongSupplier millis) {
        this.millis = millis;
        this.since = millis.getAsLong();
    }

    void set(boolean nowBusy) {
        count();
        busy = nowBusy;
    }

    long takeBusy() {
        count();
        long taken = busyMillis;
        busyMillis = 0;
        return taken;
    }

    long takeIdle() {
        count();
        long taken = idleMillis;
        idleMillis = 0;
        return taken;
    }

    private void count() {
        long now = millis.getAsLong();
        long passed = now - since;
        since = now;
        if (busy) {
            busyMillis += passed;
        } else {
            idleMillis += passed;
        }
    }
}
