package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of sandboxes and of what ran in them when a stage is opened anew. */
@Timeout(60)
class LeaseRecoveryTest {
    private final FakeStore store = new FakeStore();

    @Test
    void attachesWhenTheSandboxRanExactlyWhatTheStateKnows() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(provider, 1_000);
        attempt.times(5, first);
        first.close();
        assertThat(provider.alive()).containsExactly(attempt.due().leaseName());

        RolloutRunner second = runner(provider, 2_000);
        FinishedAttempt finished = attempt.toTheEnd(second);
        assertThat(answer(finished)).isEqualTo("abc");
        assertThat(finished.tries()).isEqualTo(1);
        assertThat(gauge(second, "sandboxesAttached")).isEqualTo(1);
        assertThat(gauge(second, "sandboxesRebuilt")).isZero();
        second.close();
        assertThat(provider.alive()).isEmpty();
    }

    @Test
    void aCommandWhoseEventWasLostHasNoEffectTwice() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(provider, 1_000);
        attempt.times(4, first);
        Executed lost = Played.await(first.start(attempt.due())).executed();
        first.close();
        assertThat(provider.alive()).hasSize(1);

        RolloutRunner second = runner(provider, 2_000);
        assertThat(attempt.next(second).executed().outputSha256())
                .as("the second try of the command sees what the first saw")
                .isEqualTo(lost.outputSha256());
        assertThat(answer(attempt.toTheEnd(second))).isEqualTo("abc");
        assertThat(gauge(second, "sandboxesAttached")).isZero();
        assertThat(gauge(second, "sandboxesRebuilt")).isEqualTo(1);
        second.close();
    }

    @Test
    void whatCanNotBeFoundAgainIsRebuilt() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.NONE, FakeFaults.NONE);
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(provider, 1_000);
        attempt.times(5, first);
        first.close();
        assertThat(provider.alive()).isEmpty();

        RolloutRunner second = runner(provider, 2_000);
        assertThat(answer(attempt.toTheEnd(second))).isEqualTo("abc");
        assertThat(gauge(second, "sandboxesRebuilt")).isEqualTo(1);
        second.close();
    }

    @Test
    void aRebuiltSandboxThatAnswersOtherwiseEndsTheTryAndNotTheAttempt() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.NONE, FakeFaults.NONE);
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(provider, 1_000);
        attempt.times(3, first);
        StepEvent seen = attempt.events.remove(2);
        Executed other = new Executed(0, false, new int[0], 1, "of other output", false);
        attempt.events.add(seen.with(other));
        attempt.next(first);
        first.close();

        RolloutRunner second = runner(provider, 2_000);
        StepEvent mismatch = attempt.next(second);
        assertThat(mismatch.failure().cause()).isEqualTo("replay_mismatch");
        assertThat(mismatch.failure().failureClass()).isEqualTo(FailureClass.INFRA);
        assertThat(attempt.due().effectId()).isEqualTo("boot#2");
        FinishedAttempt finished = attempt.toTheEnd(second);
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.tries()).isEqualTo(2);
        assertThat(answer(finished)).isEqualTo("abc");
        second.close();
        assertThat(provider.alive()).isEmpty();
    }

    @Test
    void aStageOfThePastReportsNothingAndChangesNothing() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        FakeFaults slow =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request)
                            throws InterruptedException {
                        if (request.command().equals("add b") && first.getAndSet(false)) {
                            reached.countDown();
                            goOn.await();
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, slow);
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner past = runner(provider, 1_000);
        attempt.times(4, past);
        CompletableFuture<StepEvent> stale = past.start(attempt.due());
        reached.await();

        RolloutRunner present = runner(provider, 2_000);
        present.reap("run-1", Set.of(attempt.due().leaseName()));
        attempt.next(present);
        goOn.countDown();
        assertThatThrownBy(() -> stale.get(20, TimeUnit.SECONDS))
                .isInstanceOfAny(CancellationException.class, ExecutionException.class);
        assertThat(answer(attempt.toTheEnd(present))).isEqualTo("abc");
        past.close();
        present.close();
        assertThat(provider.alive()).isEmpty();
    }

    @Test
    void aSandboxThatSomeoneKilledIsRebuiltAloneAndNeverScored() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        RolloutRunner runner = runner(provider, 1_000);
        Played<Admission, FinishedAttempt> attempt = attempt();
        Played<Admission, FinishedAttempt> sibling =
                new Played<>(new RolloutMachine(), Played.admission(1));
        attempt.times(4, runner);
        sibling.times(4, runner);
        provider.lose(attempt.due().leaseName());

        FinishedAttempt finished = attempt.toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.failure()).isNull();
        assertThat(answer(finished)).isEqualTo("abc");
        assertThat(answer(sibling.toTheEnd(runner))).isEqualTo("abc");
        assertThat(gauge(runner, "sandboxesRebuilt")).isEqualTo(1);
        runner.close();
    }

    @Test
    void aSandboxThatDiesAgainAndAgainLosesTheAttemptWithoutAReward() {
        FakeProvider[] provider = new FakeProvider[1];
        FakeFaults deadly =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request) {
                        provider[0].lose(lease);
                    }
                };
        provider[0] = new FakeProvider(Attach.ANYWHERE, deadly);
        RolloutRunner runner = runner(provider[0], 1_000);
        FinishedAttempt finished = attempt().toTheEnd(runner);
        assertThat(finished.outcome()).isEqualTo(Outcome.LOST);
        assertThat(finished.failure().failureClass()).isEqualTo(FailureClass.INFRA);
        assertThat(finished.failure().cause()).isEqualTo("sandbox_died");
        assertThat(finished.tries()).isEqualTo(3);
        runner.close();
        assertThat(provider[0].alive()).isEmpty();
    }

    @Test
    void onlyOrphansAreReaped() throws Exception {
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        Played<Admission, FinishedAttempt> kept = attempt();
        Played<Admission, FinishedAttempt> forgotten =
                new Played<>(new RolloutMachine(), Played.admission(1));
        RolloutRunner first = runner(provider, 1_000);
        kept.times(3, first);
        forgotten.times(3, first);
        first.close();
        FakeTasks tasks = new FakeTasks(provider);
        tasks.open(
                Played.admission(2).task(), new Lease("other", "run-1/rollout/1", 1_000, 60_000));

        RolloutRunner second = runner(provider, 2_000);
        Effect due = kept.due();
        second.reap("run-1", Set.of(due.leaseName()));
        await().until(() -> provider.alive().size() == 2);
        assertThat(provider.alive()).containsExactlyInAnyOrder(due.leaseName(), "other");
        assertThat(answer(kept.toTheEnd(second))).isEqualTo("abc");
        assertThat(gauge(second, "sandboxesAttached")).isEqualTo(1);
        second.close();
    }

    @Test
    void moreOpenAttemptsThanSlotsAllFinishAfterARestore() {
        FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
        List<Played<Admission, FinishedAttempt>> attempts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            attempts.add(new Played<>(new RolloutMachine(), Played.admission(i)));
        }
        RolloutRunner wide = runner(provider, 1_000, 5);
        attempts.forEach(a -> a.times(4, wide));
        wide.close();

        RolloutRunner narrow = runner(provider, 2_000, 2);
        List<CompletableFuture<FinishedAttempt>> playing =
                attempts.stream()
                        .map(
                                a ->
                                        CompletableFuture.supplyAsync(
                                                () -> a.toTheEnd(narrow),
                                                command -> new Thread(command).start()))
                        .toList();
        assertThat(playing.stream().map(Played::await))
                .extracting(FinishedAttempt::outcome)
                .containsOnly(Outcome.SUBMITTED);
        assertThat(gauge(narrow, "sandboxesAttached")).isEqualTo(5);
        narrow.close();
    }

    private static Played<Admission, FinishedAttempt> attempt() {
        return new Played<>(new RolloutMachine(), Played.admission(0));
    }

    private RolloutRunner runner(FakeProvider provider, long fence) {
        return runner(provider, fence, 2);
    }

    private RolloutRunner runner(FakeProvider provider, long fence, int slots) {
        Script script = new Script("add a", "add b", "add c");
        return new RolloutRunner(
                new RolloutPorts(
                        new FakeTasks(provider), script, script, store, Observations.own()),
                new RunnerSettings(slots, "rollout/0", fence, Played.SHORT));
    }

    private String answer(FinishedAttempt finished) throws IOException {
        byte[] content = WorkspaceCodec.decode(store.get(finished.workspace())).get(0).content();
        return new String(content, StandardCharsets.UTF_8);
    }

    private static long gauge(RolloutRunner runner, String name) {
        return runner.gauges().get(name).getAsLong();
    }
}
