package dev.millrace.backends.effect;

import java.util.HashMap;
import java.util.Map;

/**
 * Images whose sandboxes can't be created: after so many failures in a row one is closed for a
 * while. Kept by this process only. Thread-safe.
 */
public final class Quarantine {
    private final int after;
    private final long nanos;
    private final Map<String, Record> records = new HashMap<>();

    private static final class Record {
        private int failures;
        private long closedAt;
    }

    /** Closes after that many failures, for that long. */
    public Quarantine(int after, long millis) {
        this.after = after;
        this.nanos = millis * 1_000_000;
    }

    /** Whether nothing should be created of it now. */
    public synchronized boolean closed(String image) {
        Record record = records.get(image);
        return record != null
                && record.failures >= after
                && System.nanoTime() - record.closedAt < nanos;
    }

    /** A creation failed by the image's own fault. */
    public synchronized void failed(String image) {
        Record record = records.computeIfAbsent(image, i -> new Record());
        record.failures++;
        record.closedAt = System.nanoTime();
    }

    /** One was created. */
    public synchronized void succeeded(String image) {
        records.remove(image);
    }

    /** How many are closed. */
    public synchronized long size() {
        return records.keySet().stream().filter(this::closed).count();
    }
}
