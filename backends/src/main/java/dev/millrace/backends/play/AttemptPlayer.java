package dev.millrace.backends.play;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Plays and grades attempts by the rules of the stages, keeping everything in memory. */
public final class AttemptPlayer implements AutoCloseable {
    private final EffectRunner rollout;
    private final EffectRunner grading;

    /** Both are closed with the player. */
    public AttemptPlayer(EffectRunner rollout, EffectRunner grading) {
        this.rollout = rollout;
        this.grading = grading;
    }

    /** Plays an attempt to its end and grades it. */
    public CompletableFuture<GradedAttempt> play(Admission admission) {
        return run(new RolloutMachine(), admission, rollout, new ArrayList<>())
                .thenCompose(finished -> grade(finished));
    }

    /** Plays attempts side by side; the answers are in the same order. */
    public List<GradedAttempt> playAll(List<Admission> admissions) {
        List<CompletableFuture<GradedAttempt>> playing =
                admissions.stream().map(this::play).toList();
        return playing.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void close() {
        rollout.close();
        grading.close();
    }

    private CompletableFuture<GradedAttempt> grade(FinishedAttempt finished) {
        return run(new GradingMachine(), finished, grading, new ArrayList<>());
    }

    private static <I, O> CompletableFuture<O> run(
            StepMachine<I, O> machine, I input, EffectRunner runner, List<StepEvent> events) {
        StepView<I> view = new StepView<>(input, List.copyOf(events));
        Optional<O> result = machine.result(view);
        if (result.isPresent()) {
            runner.release(machine.itemId(input), machine.admissionId(input));
            return CompletableFuture.completedFuture(result.get());
        }
        Effect effect = machine.due(view).get(0);
        return runner.start(effect)
                .thenCompose(
                        event -> {
                            events.add(event);
                            return run(machine, input, runner, events);
                        });
    }
}
