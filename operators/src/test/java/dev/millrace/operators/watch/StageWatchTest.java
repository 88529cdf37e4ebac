package dev.millrace.operators.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StageWatchTest {
    private final List<NoProgress> reports = new CopyOnWriteArrayList<>();
    private final AtomicBoolean work = new AtomicBoolean(true);

    @Test
    void namesTheStageAndTheOldestEffectWhenNothingMoves() {
        StagePulse pulse = new StagePulse("run", "rollout", 3, work::get);
        pulse.effectStarted("g1/a0 exec#1.2");
        pulse.effectStarted("g2/a0 boot#1");
        pulse.effectEnded("g2/a0 boot#1");
        try (StageWatch watch = new StageWatch(pulse, 200, reports::add)) {
            assertThat(watch).isNotNull();
            await().until(() -> !reports.isEmpty());
        }
        NoProgress report = reports.get(0);
        assertThat(report.stage()).isEqualTo("rollout");
        assertThat(report.subtask()).isEqualTo(3);
        assertThat(report.oldestEffect()).isEqualTo("g1/a0 exec#1.2");
        assertThat(report.oldestEffectMillis()).isGreaterThanOrEqualTo(200);
        assertThat(report.threadAt()).isEmpty();
        assertThat(report.toReject().reason()).isEqualTo("no_progress");
    }

    @Test
    void saysNothingWhileThereIsNoWorkOrItMoves() {
        StagePulse pulse = new StagePulse("run", "rollout", 0, work::get);
        work.set(false);
        try (StageWatch watch = new StageWatch(pulse, 100, reports::add)) {
            assertThat(watch).isNotNull();
            long idleUntil = System.nanoTime() + 500_000_000L;
            await().until(() -> System.nanoTime() > idleUntil);
            work.set(true);
            long movingUntil = System.nanoTime() + 500_000_000L;
            await().pollInterval(java.time.Duration.ofMillis(10))
                    .until(
                            () -> {
                                pulse.moved();
                                return System.nanoTime() > movingUntil;
                            });
            assertThat(reports).isEmpty();
        }
    }

    @Test
    void seesATaskThreadThatIsBusyInTheStagesCode() throws Exception {
        CountDownLatch looping = new CountDownLatch(1);
        AtomicBoolean stop = new AtomicBoolean();
        StagePulse[] pulse = new StagePulse[1];
        Thread task =
                new Thread(
                        () -> {
                            pulse[0] = new StagePulse("run", "group", 1, () -> false);
                            pulse[0].enter();
                            looping.countDown();
                            busyFilter(stop);
                            pulse[0].leave();
                        });
        task.start();
        looping.await();
        try (StageWatch watch = new StageWatch(pulse[0], 200, reports::add)) {
            assertThat(watch).isNotNull();
            await().until(() -> !reports.isEmpty());
        } finally {
            stop.set(true);
            task.join();
        }
        assertThat(reports.get(0).stage()).isEqualTo("group");
        assertThat(reports.get(0).subtask()).isEqualTo(1);
        assertThat(reports.get(0).threadAt()).contains("busyFilter");
        assertThat(reports.get(0).threadMillis()).isGreaterThanOrEqualTo(200);
    }

    private static void busyFilter(AtomicBoolean stop) {
        long sum = 0;
        while (!stop.get()) {
            sum++;
        }
        assertThat(sum).isPositive();
    }
}
