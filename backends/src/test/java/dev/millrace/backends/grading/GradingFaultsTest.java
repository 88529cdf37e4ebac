package dev.millrace.backends.grading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.fake.FaultyVerifier;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.backends.rollout.WorkspaceCodec;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graders that fail, hang, or answer too late. */
@Timeout(120)
class GradingFaultsTest {
    /** Much longer than any grader here takes, also on a busy machine. */
    private static final long GRADING_MILLIS = 4_000;

    private static final EffectLimits LIMITS =
            new EffectLimits(
                    2_000,
                    2_000,
                    300,
                    2_000,
                    GRADING_MILLIS,
                    300,
                    10,
                    10_000,
                    20,
                    60_000,
                    0,
                    3,
                    3,
                    60_000);
    private final FakeStore store = new FakeStore();
    private final GradingMachine machine = new GradingMachine();

    @Test
    void anAnswerAfterTwiceTheDeadlineIsNotUsedAndTheAttemptIsGradedAgainAlone() throws Exception {
        AtomicInteger number = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        FakeFaults slow =
                new FakeFaults() {
                    @Override
                    public void exec(String lease, ExecRequest request) {
                        if (number.getAndIncrement() == 17) {
                            long until = System.nanoTime() + 2 * GRADING_MILLIS * 1_000_000L;
                            while (System.nanoTime() < until) {
                                // Sits out every interrupt.
                                LockSupport.parkNanos(Thread.interrupted() ? 1 : 10_000_000);
                            }
                            late.incrementAndGet();
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, slow);
        GradingRunner runner = runner(provider, 8);
        List<CompletableFuture<GradedAttempt>> grading = new ArrayList<>();
        AtomicInteger deadlines = new AtomicInteger();
        for (int i = 0; i < 64; i++) {
            grading.add(grade(runner, finished(i), new ArrayList<>(), deadlines));
        }
        for (CompletableFuture<GradedAttempt> each : grading) {
            assertThat(each.get(60, TimeUnit.SECONDS).valid()).isTrue();
        }
        assertThat(deadlines.get()).isEqualTo(1);
        assertThat(number.get()).isEqualTo(65);
        await().untilAtomic(late, org.hamcrest.Matchers.is(1));
        await().until(() -> provider.alive().isEmpty());
        runner.close();
    }

    @Test
    void fiftyFailedCreationsLeaveNothingOpen() throws Exception {
        AtomicInteger number = new AtomicInteger();
        FakeFaults failing =
                new FakeFaults() {
                    @Override
                    public void create(SandboxSpec spec) throws SandboxException {
                        if (number.getAndIncrement() < 50) {
                            throw new SandboxException(
                                    SandboxException.Kind.CREATE_FAILED, "no room");
                        }
                    }
                };
        FakeProvider provider = new FakeProvider(Attach.NONE, failing);
        GradingRunner runner = runner(provider, 2);
        int masked = 0;
        for (int i = 0; i < 20; i++) {
            GradedAttempt graded =
                    grade(runner, finished(i), new ArrayList<>(), new AtomicInteger())
                            .get(60, TimeUnit.SECONDS);
            if (!graded.valid()) {
                masked++;
                assertThat(graded.failure().failureClass()).isEqualTo(FailureClass.INFRA);
                assertThat(graded.failure().cause()).isEqualTo("sandbox_create_failed");
            }
        }
        assertThat(masked).as("three tries each, then masked and never 0").isEqualTo(16);
        await().until(() -> provider.alive().isEmpty() && provider.leases("run-1").isEmpty());
        // A call that has answered is counted until its thread is back.
        await().until(() -> runner.gauges().get("callsStuck").getAsLong() == 0);
        assertThat(
                        grade(runner, finished(99), new ArrayList<>(), new AtomicInteger())
                                .get(60, TimeUnit.SECONDS)
                                .valid())
                .as("both slots are free again")
                .isTrue();
        runner.close();
    }

    @Test
    void aTaskWhoseVerifierSaysNothingIsClosedAndOthersAreNot() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger silentUntil = new AtomicInteger(Integer.MAX_VALUE);
        FakeTasks tasks = new FakeTasks(new FakeProvider(Attach.NONE, FakeFaults.NONE));
        GradingRunner runner =
                new GradingRunner(
                        new FaultyVerifier(
                                tasks, lease -> asked.incrementAndGet() <= silentUntil.get()),
                        store,
                        new RunnerSettings(2, "grading/0", 1, LIMITS),
                        0);
        List<String> causes = new ArrayList<>();
        GradedAttempt last = null;
        for (int i = 0; i < 5; i++) {
            last =
                    grade(runner, finished(i), new ArrayList<>(), new AtomicInteger())
                            .get(60, TimeUnit.SECONDS);
            assertThat(last.valid()).isFalse();
            assertThat(last.failure().failureClass()).isEqualTo(FailureClass.VERIFIER);
            causes.add(last.failure().cause());
        }
        assertThat(causes)
                .containsExactly(
                        FaultyVerifier.CAUSE,
                        FaultyVerifier.CAUSE,
                        FaultyVerifier.CAUSE,
                        "task_quarantined",
                        "task_quarantined");
        assertThat(asked.get()).as("no sandbox is spent on a closed task").isEqualTo(3);
        assertThat(machine.reject(last))
                .hasValueSatisfying(
                        reject -> {
                            assertThat(reject.reason()).isEqualTo("task_quarantined");
                            assertThat(reject.key()).isEqualTo("fake:task-1");
                        });
        assertThat(runner.gauges().get("tasksQuarantined").getAsLong()).isEqualTo(1);
        silentUntil.set(0);
        assertThat(
                        grade(runner, finished(7, "task-2"), new ArrayList<>(), new AtomicInteger())
                                .get(60, TimeUnit.SECONDS)
                                .valid())
                .isTrue();
        runner.close();
    }

    private CompletableFuture<GradedAttempt> grade(
            GradingRunner runner,
            FinishedAttempt attempt,
            List<StepEvent> events,
            AtomicInteger deadlines) {
        StepView<FinishedAttempt> view = new StepView<>(attempt, List.copyOf(events));
        if (machine.result(view).isPresent()) {
            return CompletableFuture.completedFuture(machine.result(view).get());
        }
        return runner.start(machine.due(view).get(0))
                .thenCompose(
                        event -> {
                            events.add(event);
                            if (event.kind() == StepEvent.Kind.FAILED
                                    && event.failure().cause().equals("grading_deadline")) {
                                deadlines.incrementAndGet();
                            }
                            return grade(runner, attempt, events, deadlines);
                        });
    }

    private GradingRunner runner(FakeProvider provider, int slots) {
        return new GradingRunner(
                new FakeTasks(provider),
                store,
                new RunnerSettings(slots, "grading/0", 1, LIMITS),
                0);
    }

    private FinishedAttempt finished(int index) throws Exception {
        return finished(index, "task-1");
    }

    private FinishedAttempt finished(int index, String task) throws Exception {
        SandboxFile answer = new SandboxFile("answer", new byte[] {'1'}, false);
        ContentRef workspace =
                store.put("w" + index, ".workspace", WorkspaceCodec.encode(List.of(answer)));
        Admission admission =
                new Admission(
                        "run-1",
                        Lane.TRAIN,
                        "run-1/g1",
                        1,
                        "adm-1",
                        64,
                        index,
                        "r0",
                        new Task(task, "fake:" + task, Split.TRAIN, ""),
                        new PolicyRef(new PolicyVersion(1, 0), ""),
                        1.0,
                        1,
                        "",
                        new AttemptBudget(3, 8, 200, 2, 1_000, 10_000, 3));
        return new FinishedAttempt(
                admission,
                Outcome.SUBMITTED,
                null,
                workspace,
                workspace,
                1,
                1,
                1,
                admission.policy().version(),
                1,
                1);
    }
}
