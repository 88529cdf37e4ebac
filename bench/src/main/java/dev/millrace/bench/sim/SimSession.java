package dev.millrace.bench.sim;

import java.util.TreeMap;

/** A session of the trainer service. */
final class SimSession {
    final String name;

    /** Calls that came before those in front of them. */
    private final TreeMap<Long, Call> waiting = new TreeMap<>();

    long weights;
    long gradient;
    long busyUntilMillis;

    private long nextCall;

    /**
     * A call that waits for its turn.
     *
     * @param carryOut does it
     * @param refuse answers it when the session is gone
     */
    record Call(Runnable carryOut, Runnable refuse) {}

    SimSession(String name, long weights) {
        this.name = name;
        this.weights = weights;
    }

    /** Takes a call, and carries out all whose turn it is. */
    void take(long number, Call call) {
        waiting.put(number, call);
        while (waiting.containsKey(nextCall)) {
            waiting.remove(nextCall++).carryOut().run();
        }
    }

    /** Answers whatever still waits: the session is gone. */
    void lose() {
        waiting.values().forEach(call -> call.refuse().run());
        waiting.clear();
    }
}
