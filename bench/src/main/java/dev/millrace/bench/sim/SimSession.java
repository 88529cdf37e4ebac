package dev.millrace.bench.sim;

import java.util.TreeMap;

/** A session of the trainer service. */
final class SimSession {
    final String name;

    /** Calls that came before those in front of them. */
    final TreeMap<Long, Runnable> waiting = new TreeMap<>();

    long nextCall;
    long weights;
    long gradient;
    long busyUntilMillis;

    SimSession(String name, long weights) {
        this.name = name;
        this.weights = weights;
    }
}
