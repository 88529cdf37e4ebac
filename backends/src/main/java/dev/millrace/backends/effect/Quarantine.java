package dev.millrace.backends.effect;

import java.util.HashMap;
import java.util.Map;

/**
 * Images whose sandboxes can't be created, or tasks whose verifiers give no verdict: after so many
 * failures in a row one is closed for a while. Kept by this process only. Thread-safe.
 */
public final class Quarantine {
    private final int after;
    private final long nanos;
    private final Map<String, Failures> records = new HashMap<>();

    private static final class Failures {
        private int failures;
        private long closedAt;
    }

    /** Closes after that many failures, for that long. */
    public Quarantine(int after, long millis) {
        this.after = after;
        this.nanos = millis * 1_000_000;
    }

    /** Whether nothing should be done with it now. */
    public synchronized boolean closed(String name) {
        Failures record = records.get(name);
        return record != null
                && record.failures >= after
                && System.nanoTime() - record.closedAt < nanos;
    }

    /** It failed by its own fault. */
    public synchronized void failed(String name) {
        Failures record = records.computeIfAbsent(name, n -> new Failures());
        record.failures++;
        record.closedAt = System.nanoTime();
    }

    /** It worked. */
    public synchronized void succeeded(String name) {
        records.remove(name);
    }

    /** How many are closed. */
    public synchronized long size() {
        return records.keySet().stream().filter(this::closed).count();
    }
}
