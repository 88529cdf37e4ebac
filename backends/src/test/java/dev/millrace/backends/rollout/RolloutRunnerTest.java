package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RolloutRunnerTest {
    private final FakeTasks tasks = new FakeTasks();
    private final FakeStore store = new FakeStore();
    private final RolloutRunner runner = runner(2);

    @AfterEach
    void close() {
        runner.close();
    }

    @Test
    void playsAndGradesAnAttempt() throws Exception {
        FinishedAttempt finished =
                play(new RolloutMachine(), admission(0), runner, new ArrayList<>());
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.turns()).isEqualTo(2);
        Trajectory trajectory = TrajectoryCodec.decode(store.get(finished.trajectory()));
        int said = trajectory.tokens()[trajectory.turns().get(0).firstToken()];
        await().until(() -> tasks.alive().isEmpty());

        GradingRunner grading = new GradingRunner(tasks, store, 1, 10);
        GradedAttempt graded = play(new GradingMachine(), finished, grading, new ArrayList<>());
        assertThat(graded.valid()).isTrue();
        assertThat(graded.reward())
                .isEqualTo(said == FakeTasks.answer(finished.admission().task()) ? 1.0 : 0.0);
        GradedAttempt again = play(new GradingMachine(), finished, grading, new ArrayList<>());
        assertThat(again.flags()).containsExactly(GradingRunner.REUSED);
        assertThat(again.reward()).isEqualTo(graded.reward());
        grading.close();
    }

    @Test
    void aSandboxThatIsGoneIsRebuiltFromThePastCommands() throws Exception {
        RolloutMachine machine = new RolloutMachine();
        List<StepEvent> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            events.add(next(machine, admission(0), runner, events));
        }
        runner.close();
        assertThat(tasks.alive()).isEmpty();

        RolloutRunner successor = runner(2);
        FinishedAttempt finished = play(machine, admission(0), successor, events);
        assertThat(finished.tries()).isEqualTo(1);
        assertThat(WorkspaceCodec.decode(store.get(finished.workspace())))
                .extracting(f -> f.path())
                .containsExactly("answer");
        successor.close();
    }

    @Test
    void aSlotIsHeldUntilCaptureAndWaitersAreServedInOrder() throws Exception {
        RolloutRunner narrow = runner(1);
        RolloutMachine machine = new RolloutMachine();
        CompletableFuture<StepEvent> first = narrow.start(due(machine, admission(0), List.of()));
        first.get(5, TimeUnit.SECONDS);
        CompletableFuture<StepEvent> second = narrow.start(due(machine, admission(1), List.of()));
        assertThat(second).isNotDone();
        narrow.release(admission(0).attemptId(), admission(0).admissionId());
        assertThat(second.get(5, TimeUnit.SECONDS).kind()).isEqualTo(StepEvent.Kind.BOOTED);
        narrow.close();
        assertThat(tasks.alive()).isEmpty();
    }

    private RolloutRunner runner(int slots) {
        return new RolloutRunner(
                new RolloutPorts(
                        tasks, new FakeSampler(1), new FakeRenderer(), store, Observations.own()),
                slots);
    }

    private static <I, O> O play(
            StepMachine<I, O> machine,
            I input,
            dev.millrace.backends.port.EffectRunner runner,
            List<StepEvent> events)
            throws Exception {
        while (machine.result(new StepView<>(input, events)).isEmpty()) {
            events.add(next(machine, input, runner, events));
        }
        return machine.result(new StepView<>(input, events)).get();
    }

    private static <I> StepEvent next(
            StepMachine<I, ?> machine,
            I input,
            dev.millrace.backends.port.EffectRunner runner,
            List<StepEvent> events)
            throws Exception {
        return runner.start(due(machine, input, events)).get(5, TimeUnit.SECONDS);
    }

    private static <I> Effect due(StepMachine<I, ?> machine, I input, List<StepEvent> events) {
        List<Effect> due = machine.due(new StepView<>(input, events));
        assertThat(due).hasSize(1);
        return due.get(0);
    }

    private static Admission admission(int attempt) {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g7",
                7,
                "adm-1",
                4,
                attempt,
                "r0",
                new Task("task-1", "fake:task-1", Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                42 + attempt,
                "",
                new AttemptBudget(3, 8, 200, 2, 1_000, 10_000, 2));
    }
}
