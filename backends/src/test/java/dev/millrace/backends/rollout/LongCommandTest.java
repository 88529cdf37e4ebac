package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that runs for longer than every limit but its own, and than its sandbox may idle. */
@Timeout(60)
class LongCommandTest {
    private static final long COMMAND = 3_000;
    private static final long LIMIT = 3_600;

    /** Every other limit is shorter than the command. */
    private static final EffectLimits SHORTER =
            new EffectLimits(
                    2_000, 2_000, 300, 2_000, 2_000, 2_000, 10, 2_000, 20, 1_000, 0, 3, 3, 9);

    @Test
    void onlyItsOwnLimitEndsIt() {
        FakeFaults slow =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request)
                            throws InterruptedException {
                        assertThat(request.timeoutMillis()).isEqualTo(LIMIT);
                        Thread.sleep(COMMAND);
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, slow);
        Script script = new Script("add a");
        try (RolloutRunner runner =
                        new RolloutRunner(
                                new RolloutPorts(
                                        new FakeTasks(provider),
                                        script,
                                        script,
                                        new FakeStore(),
                                        Observations.own()),
                                new RunnerSettings(1, "rollout/0", 1, SHORTER));
                Calls clock = new Calls("expiry")) {
            clock.every(50, () -> provider.expire(System.nanoTime()));
            Played<Admission, FinishedAttempt> attempt =
                    new Played<>(
                            new RolloutMachine(),
                            Played.admission("fake:t", 0, Played.budget(LIMIT, 60_000)));
            StepEvent event = attempt.times(2, runner).next(runner);
            assertThat(event.kind()).isEqualTo(StepEvent.Kind.EXECUTED);
            assertThat(event.executed().timedOut()).isFalse();
            assertThat(event.wallMillis()).isGreaterThanOrEqualTo(COMMAND);
            FinishedAttempt finished = attempt.toTheEnd(runner);
            assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
            assertThat(finished.tries()).isEqualTo(1);
        }
    }
}
