package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A policy or a provider that is away, busy, or says no. */
@Timeout(120)
class AwayTest {
    private final FakeStore store = new FakeStore();
    private final Script script = new Script("add a", "add b");

    @Test
    void aServerThatIsAwayForLongerThanAnAttemptMayRunEndsNoAttempt() {
        long awayUntil = System.nanoTime() + 3_000_000_000L;
        AtomicInteger calls = new AtomicInteger();
        RolloutRunner runner =
                runner(
                        request -> {
                            calls.incrementAndGet();
                            return System.nanoTime() < awayUntil
                                    ? CompletableFuture.failedFuture(
                                            SamplerException.away("unavailable", "503", 0))
                                    : CompletableFuture.completedFuture(Script.answer(request));
                        },
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(200, 10_000));
        List<Played<Admission, FinishedAttempt>> attempts = attempts(4, 1_000);
        List<FinishedAttempt> finished = playAll(attempts, runner);
        assertThat(finished).extracting(FinishedAttempt::outcome).containsOnly(Outcome.SUBMITTED);
        assertThat(finished).extracting(FinishedAttempt::tries).containsOnly(1);
        assertThat(finished).allMatch(f -> f.runningMillis() < 1_000);
        // At most two requests a second for each slot while it is away; twelve are answered.
        assertThat(calls.get()).isLessThan(2 * 4 * 4 + 12 + 4 * 3);
        runner.close();
    }

    @Test
    void patienceEndsAndNoCallComesAfterIt() throws Exception {
        Map<String, Integer> calls = new ConcurrentHashMap<>();
        RolloutRunner runner =
                runner(
                        request -> {
                            calls.merge(request.effectId(), 1, Integer::sum);
                            return CompletableFuture.failedFuture(
                                    SamplerException.away("unavailable", "503", 0));
                        },
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(50, 400));
        Played<Admission, FinishedAttempt> attempt = attempts(1, 1_000).get(0);
        attempt.next(runner);
        String id = attempt.due().effectId();
        StepEvent failed = attempt.next(runner);
        assertThat(failed.failure().cause()).isEqualTo("sampler_unavailable");
        assertThat(failed.failure().failureClass()).isEqualTo(FailureClass.INFRA);
        int before = calls.get(id);
        assertThat(before).isBetween(2, 10);
        Played.await(new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.SECONDS));
        assertThat(calls.get(id)).isEqualTo(before);
        runner.close();
    }

    @Test
    void aRefusalIsAskedForOnceAndNamesItsReason() {
        Map<String, Integer> calls = new ConcurrentHashMap<>();
        RolloutRunner runner =
                runner(
                        request -> {
                            calls.merge(request.effectId(), 1, Integer::sum);
                            return CompletableFuture.failedFuture(
                                    SamplerException.refused("403: key of project x is blocked"));
                        },
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(50, 10_000));
        FinishedAttempt finished = attempts(1, 10_000).get(0).toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.LOST);
        assertThat(finished.failure().cause()).isEqualTo("sampler_refused");
        assertThat(finished.failure().message()).contains("403");
        assertThat(finished.tries()).isEqualTo(1);
        assertThat(calls).containsOnlyKeys("sample#1.0").containsEntry("sample#1.0", 1);
        runner.close();
    }

    @Test
    void aSamplerThatNeverAnswersIsAskedAgainAndThenNamed() {
        AtomicInteger calls = new AtomicInteger();
        List<CompletableFuture<Completion>> silent = new ArrayList<>();
        RolloutRunner runner =
                runner(
                        request -> {
                            calls.incrementAndGet();
                            silent.add(new CompletableFuture<>());
                            return silent.get(silent.size() - 1);
                        },
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(400, 50, 1_000));
        Played<Admission, FinishedAttempt> attempt = attempts(1, 60_000).get(0);
        attempt.next(runner);
        StepEvent failed = attempt.next(runner);
        assertThat(failed.failure().cause()).isEqualTo("sampler_timeout");
        assertThat(calls.get()).isBetween(2, 4);
        assertThat(silent).as("the call is told that nobody waits").allMatch(c -> c.isCancelled());
        runner.close();
    }

    @Test
    void anAttemptsOwnTimeEndsItInTheMiddleOfATurnAndItsWorkIsKept() {
        RolloutRunner runner =
                runner(
                        request ->
                                request.effectId().endsWith(".1")
                                        ? new CompletableFuture<>()
                                        : CompletableFuture.completedFuture(Script.answer(request)),
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(50, 10_000));
        FinishedAttempt finished = attempts(1, 700).get(0).toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.TIME_LIMIT);
        assertThat(finished.failure()).isNull();
        assertThat(finished.workspace()).isNotNull();
        assertThat(finished.turns()).isEqualTo(1);
        assertThat(finished.runningMillis()).isGreaterThanOrEqualTo(690);
        runner.close();
    }

    @Test
    void whatAnAttemptHasUsedIsNotGivenBackByARestore() {
        Played<Admission, FinishedAttempt> attempt = attempts(1, 2_000).get(0);
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        Function<SampleRequest, CompletableFuture<Completion>> slow =
                request ->
                        new CompletableFuture<Completion>()
                                .completeOnTimeout(
                                        Script.answer(request), 600, TimeUnit.MILLISECONDS);
        RolloutRunner first = runner(slow, provider, limits(50, 10_000));
        attempt.times(3, first);
        long left = attempt.due().timeoutMillis();
        assertThat(left).isBetween(900L, 1_400L);
        first.close();
        // However long the stage is away, the rest stays the same.
        assertThat(attempt.due().timeoutMillis()).isEqualTo(left);
        RolloutRunner second = runner(slow, provider, limits(50, 10_000));
        assertThat(attempt.toTheEnd(second).outcome()).isEqualTo(Outcome.SUBMITTED);
        second.close();
    }

    @Test
    void timeoutsAndErrorsAreCountedApart() {
        RolloutRunner runner =
                runner(
                        request ->
                                request.seed() % 3 == 0
                                        ? CompletableFuture.failedFuture(
                                                SamplerException.refused("400"))
                                        : new CompletableFuture<>(),
                        new FakeProvider(Attach.NONE, FakeFaults.NONE),
                        limits(50, 10_000));
        List<Played<Admission, FinishedAttempt>> attempts = attempts(15, 500);
        List<FinishedAttempt> finished = playAll(attempts, runner);
        long timeouts = finished.stream().filter(f -> f.outcome() == Outcome.TIME_LIMIT).count();
        long errors = finished.stream().filter(f -> f.outcome() == Outcome.LOST).count();
        long refused =
                attempts.stream()
                        .map(a -> a.events.get(1).failure().cause())
                        .filter("sampler_refused"::equals)
                        .count();
        assertThat(refused).isBetween(1L, 14L);
        assertThat(errors).isEqualTo(refused);
        assertThat(timeouts).isEqualTo(15 - refused);
        runner.close();
    }

    @Test
    void aProviderThatAsksForAPauseGetsItFromEveryone() {
        long pause = 1_000;
        List<long[]> asked = new ArrayList<>();
        AtomicInteger number = new AtomicInteger();
        FakeFaults busy =
                new FakeFaults() {
                    @Override
                    public synchronized void create(SandboxSpec spec) throws SandboxException {
                        boolean refuse = number.getAndIncrement() < 2;
                        asked.add(new long[] {System.nanoTime(), refuse ? 1 : 0});
                        if (refuse) {
                            throw new SandboxException("429", pause);
                        }
                    }
                };
        RolloutRunner runner =
                runner(
                        request -> CompletableFuture.completedFuture(Script.answer(request)),
                        new FakeProvider(Attach.NONE, busy),
                        limits(50, 20_000));
        List<FinishedAttempt> finished = playAll(attempts(40, 60_000), runner);
        assertThat(finished).extracting(FinishedAttempt::outcome).containsOnly(Outcome.SUBMITTED);
        assertThat(finished).extracting(FinishedAttempt::tries).containsOnly(1);
        assertThat(asked).hasSize(42);
        long lastRefusal =
                asked.stream().filter(a -> a[1] == 1).mapToLong(a -> a[0]).max().orElseThrow();
        long onTheirWay = 300_000_000;
        assertThat(asked.stream().filter(a -> a[0] > lastRefusal + onTheirWay))
                .as("but for what was on its way, everyone waits for the pause")
                .hasSizeGreaterThan(20)
                .allMatch(a -> a[0] - lastRefusal >= pause * 1_000_000 - 20_000_000);
        runner.close();
    }

    @Test
    void createsKeepToTheirRate() {
        List<Long> asked = new ArrayList<>();
        FakeFaults counted =
                new FakeFaults() {
                    @Override
                    public synchronized void create(SandboxSpec spec) {
                        asked.add(System.nanoTime());
                    }
                };
        EffectLimits limits =
                new EffectLimits(
                        2_000, 400, 300, 2_000, 2_000, 300, 10, 1_000, 50, 60_000, 10, 3, 3,
                        60_000);
        RolloutRunner runner =
                runner(
                        request -> CompletableFuture.completedFuture(Script.answer(request)),
                        new FakeProvider(Attach.NONE, counted),
                        limits);
        playAll(attempts(8, 10_000), runner);
        assertThat(asked).hasSize(8);
        assertThat(asked.get(7) - asked.get(0)).isGreaterThan(650_000_000L);
        runner.close();
    }

    private static EffectLimits limits(long backoff, long patience) {
        return limits(60_000, backoff, patience);
    }

    private static EffectLimits limits(long sample, long backoff, long patience) {
        return new EffectLimits(
                2_000, sample, 300, 2_000, 2_000, 300, 10, patience, backoff, 60_000, 0, 3, 3,
                60_000);
    }

    private static List<Played<Admission, FinishedAttempt>> attempts(int count, long millis) {
        List<Played<Admission, FinishedAttempt>> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(
                    new Played<>(
                            new RolloutMachine(),
                            Played.admission("fake:task-1", i, Played.budget(300, millis))));
        }
        return attempts;
    }

    private static List<FinishedAttempt> playAll(
            List<Played<Admission, FinishedAttempt>> attempts, RolloutRunner runner) {
        List<CompletableFuture<FinishedAttempt>> playing =
                attempts.stream()
                        .map(
                                a ->
                                        CompletableFuture.supplyAsync(
                                                () -> a.toTheEnd(runner),
                                                command -> new Thread(command).start()))
                        .toList();
        return playing.stream().map(Played::await).toList();
    }

    private RolloutRunner runner(
            Function<SampleRequest, CompletableFuture<Completion>> sampling,
            FakeProvider provider,
            EffectLimits limits) {
        Sampler sampler =
                new Sampler() {
                    @Override
                    public CompletableFuture<Completion> sample(SampleRequest request) {
                        return sampling.apply(request);
                    }

                    @Override
                    public CompletableFuture<float[]> computeLogprobs(PolicyRef p, int[] tokens) {
                        return CompletableFuture.completedFuture(new float[tokens.length]);
                    }

                    @Override
                    public void close() {}
                };
        return new RolloutRunner(
                new RolloutPorts(
                        new FakeTasks(provider), sampler, script, store, Observations.own()),
                new RunnerSettings(16, "rollout/0", 1, limits));
    }
}
