package dev.millrace.operators.watch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What one subtask of a stage shows of its progress. The task thread writes, a watch reads; neither
 * waits for the other, so that a task thread that is stuck is seen.
 */
public final class StagePulse {
    private final String runId;
    private final String stage;
    private final int subtask;
    private final Thread task = Thread.currentThread();
    private final BooleanSupplier hasWork;
    private final Map<String, Long> effects = new ConcurrentHashMap<>();
    private final AtomicLong movedAt = new AtomicLong(System.nanoTime());
    private volatile long enteredAt;

    /**
     * To be called by the task thread.
     *
     * @param hasWork whether anything is to be done; asked from other threads
     */
    public StagePulse(String runId, String stage, int subtask, BooleanSupplier hasWork) {
        this.runId = runId;
        this.stage = stage;
        this.subtask = subtask;
        this.hasWork = hasWork;
    }

    /** The stage moved: something was applied. */
    public void moved() {
        movedAt.set(System.nanoTime());
    }

    /** The task thread goes into the stage's code. */
    public void enter() {
        enteredAt = System.nanoTime();
    }

    /** The task thread has left it. */
    public void leave() {
        enteredAt = 0;
    }

    /** An effect is under way. */
    public void effectStarted(String id) {
        effects.put(id, System.nanoTime());
    }

    /** It is no longer. */
    public void effectEnded(String id) {
        effects.remove(id);
    }

    /** Milliseconds without progress although there is work; 0 when all is well. */
    public long stalledMillis(long nowNanos) {
        long busySince = enteredAt;
        if (busySince != 0 && !hasWork.getAsBoolean()) {
            // Without work of its own, only how long one record takes tells.
            return (nowNanos - busySince) / 1_000_000;
        }
        if (busySince == 0 && !hasWork.getAsBoolean()) {
            // Time without work does not count once there is some.
            movedAt.accumulateAndGet(nowNanos, Math::max);
            return 0;
        }
        return Math.max(0, (nowNanos - movedAt.get()) / 1_000_000);
    }

    /** What it looks like now. */
    NoProgress diagnosis(long nowNanos, long stalledMillis) {
        long busySince = enteredAt;
        Optional<Map.Entry<String, Long>> oldest =
                effects.entrySet().stream().min(Map.Entry.comparingByValue());
        return new NoProgress(
                runId,
                stage,
                subtask,
                stalledMillis,
                oldest.map(Map.Entry::getKey).orElse(""),
                oldest.map(e -> (nowNanos - e.getValue()) / 1_000_000).orElse(0L),
                busySince == 0 ? 0 : (nowNanos - busySince) / 1_000_000,
                busySince == 0 ? "" : where());
    }

    private String where() {
        StackTraceElement[] frames = task.getStackTrace();
        return frames.length == 0 ? "" : frames[0].toString();
    }

    String key() {
        return runId + "/" + stage + "/" + subtask;
    }
}
