package dev.millrace.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopSignalTest {

    @Test
    void asksTheRunToStopAndWaitsUntilItHas() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        StopSignal signal = StopSignal.install(asked::countDown, Duration.ofMinutes(1));
        Thread hook = new Thread(signal::onSignal);
        hook.start();
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(hook.isAlive()).isTrue();
        signal.close();
        hook.join(30_000);
        assertThat(hook.isAlive()).isFalse();
        assertThat(signal.requested()).isTrue();
    }

    @Test
    void waitsNoLongerThanTheGrace() throws Exception {
        StopSignal signal = StopSignal.install(() -> {}, Duration.ofMillis(1));
        Thread hook = new Thread(signal::onSignal);
        hook.start();
        hook.join(30_000);
        assertThat(hook.isAlive()).isFalse();
    }

    @Test
    void aRunThatEndsByItselfWasNotStopped() {
        StopSignal signal = StopSignal.install(() -> {}, Duration.ofMinutes(1));
        signal.close();
        assertThat(signal.requested()).isFalse();
    }
}
