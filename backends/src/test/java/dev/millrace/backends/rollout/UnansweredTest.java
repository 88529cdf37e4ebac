package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A provider that takes a request and never answers, or fails at what it is asked for. */
@Timeout(120)
class UnansweredTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private final FakeStore store = new FakeStore();
    private final Script script = new Script("add a", "add b", "add c");

    @Test
    void aCommandThatIsNeverAnsweredIsAToolResultAndTheRolloutGoesOn() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.NONE, silent("add b", 1));
        RolloutRunner runner = runner(provider, Played.SHORT);
        Played<Admission, FinishedAttempt> attempt = attempt("fake:t", 0, 5_000);
        attempt.times(4, runner);
        StepEvent event = attempt.next(runner);
        assertThat(event.kind()).isEqualTo(StepEvent.Kind.EXECUTED);
        assertThat(event.executed().timedOut()).isTrue();
        assertThat(event.executed().exitCode()).isEqualTo(124);
        assertThat(event.wallMillis()).isGreaterThanOrEqualTo(5_000);
        FinishedAttempt finished = attempt.toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.tries()).isEqualTo(1);
        assertThat(TrajectoryCodec.decode(store.get(finished.trajectory())).turns())
                .extracting(Turn::timedOut)
                .containsExactly(false, true, false, false);
        assertThat(content(finished)).isEqualTo("ac");
        runner.close();
    }

    @Test
    void aThreadThatCanNotBeInterruptedCostsNothingButItself() {
        FakeFaults deaf =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request) {
                        while (request.command().equals("add b") && NEVER.getCount() > 0) {
                            // Sits out every interrupt.
                            boolean interrupted = Thread.interrupted();
                            LockSupport.parkNanos(interrupted ? 1_000_000 : 20_000_000);
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, deaf);
        RolloutRunner runner = runner(provider, Played.SHORT);
        Played<Admission, FinishedAttempt> attempt = attempt("fake:t", 0, 200);
        attempt.times(4, runner);
        assertThat(attempt.next(runner).executed().timedOut()).isTrue();
        assertThat(runner.gauges().get("callsStuck").getAsLong()).isEqualTo(1);
        Played<Admission, FinishedAttempt> other = attempt("fake:u", 1, 200);
        assertThat(other.times(3, runner).due().effectId()).isEqualTo("sample#1.1");
        runner.close();
    }

    @Test
    void aCreationThatIsNeverAnsweredLosesOnlyItsTry() {
        AtomicInteger number = new AtomicInteger();
        FakeFaults silent =
                new FakeFaults() {
                    @Override
                    public void create(SandboxSpec spec) throws InterruptedException {
                        if (number.getAndIncrement() == 0) {
                            NEVER.await();
                        }
                    }
                };
        RolloutRunner runner = runner(new FakeProvider(Attach.NONE, silent), Played.SHORT);
        Played<Admission, FinishedAttempt> attempt = attempt("fake:t", 0, 1_000);
        StepEvent failed = attempt.next(runner);
        assertThat(failed.failure().cause()).isEqualTo("boot_deadline");
        FinishedAttempt finished = attempt.toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.tries()).isEqualTo(2);
        runner.close();
    }

    @Test
    void anEndingThatHangsHoldsUpNobody() {
        AtomicInteger hanging = new AtomicInteger();
        FakeFaults hang =
                new FakeFaults() {
                    @Override
                    public void terminate(String lease) throws InterruptedException {
                        if (lease.contains("/a0/") && hanging.getAndIncrement() < 2) {
                            NEVER.await();
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, hang);
        RolloutRunner runner = runner(provider, Played.SHORT, 1);
        FinishedAttempt first = attempt("fake:t", 0, 1_000).toTheEnd(runner);
        assertThat(first.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(runner.gauges().get("sandboxesTerminating").getAsLong()).isEqualTo(1);
        assertThat(attempt("fake:t", 1, 1_000).toTheEnd(runner).outcome())
                .as("the one slot is free again while the ending is tried")
                .isEqualTo(Outcome.SUBMITTED);
        await().until(() -> provider.alive().isEmpty());
        assertThat(runner.gauges().get("terminationsFailed").getAsLong()).isEqualTo(2);
        assertThat(runner.gauges().get("sandboxesTerminating").getAsLong()).isZero();
        runner.close();
    }

    @Test
    void anEndingThatFailsIsTriedAgainAloneAndTheAttemptIsNot() {
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger created = new AtomicInteger();
        FakeFaults failing =
                new FakeFaults() {
                    @Override
                    public void create(SandboxSpec spec) {
                        created.incrementAndGet();
                    }

                    @Override
                    public void terminate(String lease) throws SandboxException {
                        if (failures.incrementAndGet() <= 3) {
                            throw new SandboxException(
                                    SandboxException.Kind.UNREACHABLE, "500 on delete");
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, failing);
        RolloutRunner runner = runner(provider, Played.SHORT);
        FinishedAttempt finished = attempt("fake:t", 0, 1_000).toTheEnd(runner);
        assertThat(finished.tries()).isEqualTo(1);
        await().until(() -> provider.alive().isEmpty());
        assertThat(created.get()).isEqualTo(1);
        assertThat(runner.gauges().get("terminationsFailed").getAsLong()).isEqualTo(3);
        assertThat(runner.gauges().get("sandboxesAbandoned").getAsLong()).isZero();
        runner.close();
    }

    @Test
    void aHundredAttemptsLeaveNoSandboxInAnyState() {
        FakeProvider provider = new FakeProvider(Attach.NONE, FakeFaults.NONE);
        RolloutRunner runner = runner(provider, Played.SHORT);
        for (int i = 0; i < 100; i++) {
            attempt("fake:t", i, 1_000).toTheEnd(runner);
        }
        await().until(() -> provider.leases("run-1").isEmpty() && provider.alive().isEmpty());
        runner.close();
    }

    @Test
    void anImageThatCanNotBeCreatedIsClosedAfterThreeFailures() {
        AtomicInteger broken = new AtomicInteger();
        FakeFaults faults =
                new FakeFaults() {
                    @Override
                    public void create(SandboxSpec spec) throws SandboxException {
                        if (spec.leaseName().contains("/a7")) {
                            broken.incrementAndGet();
                            throw new SandboxException(
                                    SandboxException.Kind.CREATE_FAILED, "no such image");
                        }
                    }
                };
        RolloutRunner runner = runner(new FakeProvider(Attach.NONE, faults), Played.SHORT);
        FinishedAttempt first = attempt("fake:x", 70, 1_000).toTheEnd(runner);
        FinishedAttempt second = attempt("fake:x", 71, 1_000).toTheEnd(runner);
        assertThat(broken.get()).isEqualTo(3);
        assertThat(first.failure().cause()).isEqualTo("sandbox_create_failed");
        assertThat(second.outcome()).isEqualTo(Outcome.LOST);
        assertThat(second.failure().cause()).isEqualTo("image_quarantined");
        assertThat(second.tries()).isEqualTo(1);
        assertThat(new RolloutMachine().reject(second))
                .hasValueSatisfying(
                        reject -> {
                            assertThat(reject.reason()).isEqualTo("image_quarantined");
                            assertThat(reject.key()).isEqualTo("fake:x");
                        });
        assertThat(new RolloutMachine().reject(first)).isEmpty();
        assertThat(attempt("fake:y", 1, 1_000).toTheEnd(runner).outcome())
                .isEqualTo(Outcome.SUBMITTED);
        assertThat(runner.gauges().get("imagesQuarantined").getAsLong()).isEqualTo(1);
        runner.close();
    }

    @Test
    void closingDoesNotWaitForWhatNeverAnswers() {
        FakeFaults hang =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request)
                            throws InterruptedException {
                        NEVER.await();
                    }

                    @Override
                    public void terminate(String lease) throws InterruptedException {
                        NEVER.await();
                    }
                };
        RolloutRunner runner = runner(new FakeProvider(Attach.NONE, hang), Played.SHORT);
        List<CompletableFuture<StepEvent>> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Played<Admission, FinishedAttempt> attempt = attempt("fake:t", i, 600_000);
            attempt.times(2, runner);
            open.add(runner.start(attempt.due()));
        }
        runner.close();
        assertThat(open).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    private static FakeFaults silent(String command, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return new FakeFaults() {
            @Override
            public void exec(String lease, ExecRequest request) throws InterruptedException {
                if (request.command().equals(command) && left.getAndDecrement() > 0) {
                    NEVER.await();
                }
            }
        };
    }

    private static Played<Admission, FinishedAttempt> attempt(
            String task, int index, long execMillis) {
        return new Played<>(
                new RolloutMachine(),
                Played.admission(task, index, Played.budget(execMillis, 60_000)));
    }

    private RolloutRunner runner(FakeProvider provider, EffectLimits limits) {
        return runner(provider, limits, 8);
    }

    private RolloutRunner runner(FakeProvider provider, EffectLimits limits, int slots) {
        return new RolloutRunner(
                new RolloutPorts(
                        new FakeTasks(provider), script, script, store, Observations.own()),
                new RunnerSettings(slots, "rollout/0", 1, limits));
    }

    private String content(FinishedAttempt finished) throws Exception {
        byte[] content = WorkspaceCodec.decode(store.get(finished.workspace())).get(0).content();
        return new String(content, StandardCharsets.UTF_8);
    }
}
