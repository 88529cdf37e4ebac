package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import java.util.Optional;

/**
 * Plays an attempt: boot, then sample and execute in turns, then capture. In a task of several
 * steps the end of one is an effect as well, answered by the next instruction. A try that
 * infrastructure loses is played again alone, from its start, under the same policy; when nobody
 * serves that policy any more the attempt is lost at once, and with it its group.
 */
public final class RolloutMachine implements StepMachine<Admission, FinishedAttempt> {
    private static final long serialVersionUID = 1L;

    /** Name of the stage. */
    public static final String STAGE = "rollout";

    @Override
    public String stage() {
        return STAGE;
    }

    @Override
    public String route(Admission input) {
        return input.route();
    }

    @Override
    public String itemId(Admission input) {
        return input.attemptId();
    }

    @Override
    public String admissionId(Admission input) {
        return input.admissionId();
    }

    @Override
    public StepEvent admitted(Admission input) {
        return StepEvent.of(
                        STAGE,
                        route(input),
                        itemId(input),
                        admissionId(input),
                        StepEvent.ADMIT,
                        StepEvent.Kind.ADMITTED,
                        0)
                .with(input);
    }

    @Override
    public Admission input(StepEvent admitted) {
        return admitted.admission();
    }

    @Override
    public boolean cancelledByEndOfTraining(Admission input) {
        return input.lane() == Lane.TRAIN;
    }

    @Override
    public List<Effect> due(StepView<Admission> item) {
        AttemptProgress attempt = AttemptProgress.of(item.input(), item.events());
        if (attempt.captured != null || attempt.cancelled || lost(attempt)) {
            return List.of();
        }
        RolloutEffects effects = new RolloutEffects(attempt);
        if (!attempt.booted) {
            return List.of(effects.boot());
        }
        Outcome outcome = outcome(attempt);
        if (outcome != null) {
            return List.of(effects.capture());
        }
        PlayedTurn open = attempt.openTurn();
        if (open == null) {
            return List.of(effects.sample());
        }
        return List.of(
                switch (open.sampled().action()) {
                    case COMMAND -> effects.execute(open);
                    case FINAL -> effects.advance(open);
                    case FORMAT_ERROR -> effects.observe(open);
                });
    }

    @Override
    public Optional<FinishedAttempt> result(StepView<Admission> item) {
        AttemptProgress attempt = AttemptProgress.of(item.input(), item.events());
        if (attempt.cancelled) {
            return Optional.of(unplayed(attempt, Outcome.CANCELLED, Failure.cancelled()));
        }
        if (lost(attempt)) {
            return Optional.of(unplayed(attempt, Outcome.LOST, attempt.lastFailure));
        }
        if (attempt.captured == null) {
            return Optional.empty();
        }
        return Optional.of(played(attempt, outcome(attempt), attempt.captured));
    }

    @Override
    public Optional<Reject> reject(FinishedAttempt result) {
        Failure failure = result.failure();
        if (failure == null || !failure.cause().equals(Failure.IMAGE_QUARANTINED)) {
            return Optional.empty();
        }
        Admission admission = result.admission();
        return Optional.of(
                new Reject(
                        admission.runId(),
                        STAGE,
                        failure.cause(),
                        admission.task().taskId(),
                        failure.message()));
    }

    private static boolean lost(AttemptProgress attempt) {
        return attempt.givenUp || attempt.tries > attempt.admission.budget().maxTries();
    }

    /** Why the agent's work is over, or null while it goes on. */
    private static Outcome outcome(AttemptProgress attempt) {
        AttemptBudget budget = attempt.admission.budget();
        PlayedTurn last = attempt.lastTurn();
        if (attempt.sandboxEnded) {
            return Outcome.SANDBOX_KILLED;
        }
        if (attempt.timeUp) {
            return Outcome.TIME_LIMIT;
        }
        boolean open = attempt.openTurn() != null;
        boolean ended = open && last.sampled().action() == TurnAction.FINAL;
        if (attempt.submitted || attempt.stepsOver || (ended && attempt.isLastStep())) {
            return Outcome.SUBMITTED;
        }
        if (open) {
            return null;
        }
        if (budget.maxFormatErrors() > 0 && attempt.formatErrorStreak >= budget.maxFormatErrors()) {
            return Outcome.FORMAT_ERRORS;
        }
        if (attempt.turns.size() >= budget.maxTurns()) {
            return Outcome.TURN_LIMIT;
        }
        if (attempt.runningMillis >= budget.attemptMillis()) {
            return Outcome.TIME_LIMIT;
        }
        return RolloutEffects.turnTokens(attempt) < 1 ? Outcome.CONTEXT_LIMIT : null;
    }

    private static FinishedAttempt played(
            AttemptProgress attempt, Outcome outcome, Captured captured) {
        return new FinishedAttempt(
                attempt.admission,
                outcome,
                null,
                captured.workspace(),
                captured.trajectory(),
                attempt.turns.size(),
                attempt.ledger.generated(),
                attempt.ledger.trimmedLength(),
                attempt.oldestVersion == null
                        ? attempt.admission.policy().version()
                        : attempt.oldestVersion,
                attempt.runningMillis,
                attempt.tries,
                attempt.ledger.spoken(),
                attempt.submission);
    }

    private static FinishedAttempt unplayed(
            AttemptProgress attempt, Outcome outcome, Failure failure) {
        return new FinishedAttempt(
                attempt.admission,
                outcome,
                failure,
                null,
                null,
                attempt.turns.size(),
                attempt.ledger.generated(),
                attempt.ledger.trimmedLength(),
                attempt.admission.policy().version(),
                attempt.runningMillis,
                lost(attempt) ? attempt.tries - 1 : attempt.tries);
    }
}
