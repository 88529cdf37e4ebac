package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** An item that is played step by step, as the operator would. */
final class Played<I, O> {
    /** Short limits, so that tests need not wait. */
    static final EffectLimits SHORT =
            new EffectLimits(
                    2_000, 2_000, 300, 2_000, 2_000, 300, 10, 10_000, 20, 60_000, 0, 3, 3, 60_000);

    final List<StepEvent> events = new ArrayList<>();
    private final StepMachine<I, O> machine;
    private final I input;

    Played(StepMachine<I, O> machine, I input) {
        this.machine = machine;
        this.input = input;
    }

    /** The one effect that is due. */
    Effect due() {
        List<Effect> due = machine.due(new StepView<>(input, events));
        assertThat(due).hasSize(1);
        return due.get(0);
    }

    boolean over() {
        return machine.result(new StepView<>(input, events)).isPresent();
    }

    O result() {
        return machine.result(new StepView<>(input, events)).orElseThrow();
    }

    /** Carries the next effect out and applies its event. */
    StepEvent next(EffectRunner runner) {
        StepEvent event = await(runner.start(due()));
        events.add(event);
        return event;
    }

    Played<I, O> times(int steps, EffectRunner runner) {
        for (int i = 0; i < steps; i++) {
            next(runner);
        }
        return this;
    }

    O toTheEnd(EffectRunner runner) {
        while (!over()) {
            next(runner);
        }
        return result();
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException
                | ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    static AttemptBudget budget(long execMillis, long attemptMillis) {
        return new AttemptBudget(8, 8, 2_000, 2, execMillis, attemptMillis, 3);
    }

    static Admission admission(int attempt) {
        return admission("fake:task-1", attempt, budget(1_000, 10_000));
    }

    static Admission admission(String taskUri, int attempt, AttemptBudget budget) {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g7",
                7,
                "adm-1",
                4,
                attempt,
                "r0",
                new Task(taskUri, taskUri, Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                42 + attempt,
                "",
                budget);
    }
}
