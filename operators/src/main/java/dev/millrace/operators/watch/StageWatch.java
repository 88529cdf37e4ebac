package dev.millrace.operators.watch;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a subtask's pulse from a thread of its own, and says so once each time it has stood
 * still for the set time, and again each time it has done so for twice as long.
 */
public final class StageWatch implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger(StageWatch.class);
    private static final int LOOKS = 4;

    private final StagePulse pulse;
    private final long afterMillis;
    private final Consumer<NoProgress> report;
    private final ScheduledExecutorService timer;
    private long nextReport;

    /**
     * @param afterMillis how long nothing may move while there is work; 0 turns the watch off
     * @param report takes what was found; called from the watch's thread
     */
    public StageWatch(StagePulse pulse, long afterMillis, Consumer<NoProgress> report) {
        this.pulse = pulse;
        this.afterMillis = afterMillis;
        this.report = report;
        this.nextReport = afterMillis;
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "watch-" + pulse.key());
                            thread.setDaemon(true);
                            return thread;
                        });
        if (afterMillis > 0) {
            long every = Math.max(1, afterMillis / LOOKS);
            ScheduledFuture<?> unused =
                    timer.scheduleWithFixedDelay(this::look, every, every, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        long now = System.nanoTime();
        long stalled = pulse.stalledMillis(now);
        if (stalled < afterMillis) {
            nextReport = afterMillis;
            return;
        }
        if (stalled >= nextReport) {
            nextReport = 2 * nextReport;
            NoProgress found = pulse.diagnosis(now, stalled);
            LOG.warn(
                    "No progress stage={} subtask={} {}",
                    found.stage(),
                    found.subtask(),
                    found.detail());
            try {
                report.accept(found);
            } catch (RuntimeException e) {
                // The watch goes on; what it found is in the log.
                LOG.warn("No progress could not be reported", e);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
