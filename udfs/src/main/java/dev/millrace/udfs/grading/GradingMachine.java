package dev.millrace.udfs.grading;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import java.util.Optional;

/**
 * Grades an attempt in a fresh sandbox. What infrastructure lost has no reward; what the policy
 * brought upon itself has reward 0; no trustworthy verdict is no reward, and never 0.
 */
public final class GradingMachine implements StepMachine<FinishedAttempt, GradedAttempt> {
    private static final long serialVersionUID = 1L;

    /** Name of the stage. */
    public static final String STAGE = "grading";

    /** Flag of a reward of 0 that no verifier gave, since the attempt left nothing. */
    public static final String NOTHING_TO_GRADE = "nothing_to_grade";

    private final TruncatedReward truncated;

    /** Attempts that a limit ended are graded as all others are. */
    public GradingMachine() {
        this(TruncatedReward.KEEP);
    }

    /**
     * @param truncated what attempts are worth that a limit ended
     */
    public GradingMachine(TruncatedReward truncated) {
        this.truncated = truncated;
    }

    @Override
    public String stage() {
        return STAGE;
    }

    @Override
    public String route(FinishedAttempt input) {
        return input.admission().route();
    }

    @Override
    public String itemId(FinishedAttempt input) {
        return input.admission().attemptId();
    }

    @Override
    public String admissionId(FinishedAttempt input) {
        return input.admission().admissionId();
    }

    @Override
    public StepEvent admitted(FinishedAttempt input) {
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
    public FinishedAttempt input(StepEvent admitted) {
        return admitted.finished();
    }

    @Override
    public boolean cancelledByEndOfTraining(FinishedAttempt input) {
        return input.admission().lane() == Lane.TRAIN;
    }

    @Override
    public List<Effect> due(StepView<FinishedAttempt> item) {
        if (result(item).isPresent()) {
            return List.of();
        }
        FinishedAttempt attempt = item.input();
        int number = 1 + failures(item);
        return List.of(
                new Effect(
                        "grade#" + number,
                        itemId(attempt),
                        Effect.Kind.GRADE,
                        attempt.admission(),
                        itemId(attempt) + "/" + admissionId(attempt) + "/grade" + number,
                        null,
                        0,
                        number - 1,
                        null,
                        null,
                        false,
                        0,
                        List.of(),
                        null,
                        attempt));
    }

    @Override
    public Optional<GradedAttempt> result(StepView<FinishedAttempt> item) {
        FinishedAttempt attempt = item.input();
        if (attempt.failure() != null) {
            return Optional.of(masked(attempt, attempt.failure(), 0));
        }
        if (truncated != TruncatedReward.KEEP && TruncatedReward.isTruncated(attempt.outcome())) {
            return Optional.of(cut(attempt));
        }
        if (attempt.workspace() == null) {
            return Optional.of(rewarded(attempt, 0, List.of(NOTHING_TO_GRADE), 0));
        }
        if (item.events().isEmpty()) {
            return Optional.empty();
        }
        return fromLast(item, item.events().get(item.events().size() - 1));
    }

    @Override
    public Optional<Reject> reject(GradedAttempt result) {
        Failure failure = result.failure();
        if (failure == null || !failure.cause().equals(Failure.TASK_QUARANTINED)) {
            return Optional.empty();
        }
        Admission admission = result.attempt().admission();
        return Optional.of(
                new Reject(
                        admission.runId(),
                        STAGE,
                        failure.cause(),
                        admission.task().uri(),
                        failure.message()));
    }

    private GradedAttempt cut(FinishedAttempt attempt) {
        return truncated == TruncatedReward.ZERO
                ? rewarded(attempt, 0, List.of(TruncatedReward.TRUNCATED), 0)
                : masked(
                        attempt,
                        new Failure(
                                FailureClass.POLICY,
                                TruncatedReward.TRUNCATED,
                                "its work was ended by " + attempt.outcome()),
                        0);
    }

    private static Optional<GradedAttempt> fromLast(
            StepView<FinishedAttempt> item, StepEvent last) {
        FinishedAttempt attempt = item.input();
        long millis = item.events().stream().mapToLong(StepEvent::wallMillis).sum();
        return switch (last.kind()) {
            case GRADED ->
                    Optional.of(
                            rewarded(
                                    attempt,
                                    last.graded().reward(),
                                    last.graded().flags(),
                                    millis));
            case CANCELLED -> Optional.of(masked(attempt, Failure.cancelled(), millis));
            case FAILED -> failed(item, last.failure(), millis);
            default ->
                    throw new IllegalStateException("event " + last.kind() + " is none of grading");
        };
    }

    private static Optional<GradedAttempt> failed(
            StepView<FinishedAttempt> item, Failure failure, long millis) {
        FinishedAttempt attempt = item.input();
        return switch (failure.failureClass()) {
            case POLICY -> Optional.of(rewarded(attempt, 0, List.of(failure.cause()), millis));
            case VERIFIER -> Optional.of(masked(attempt, failure, millis));
            case INFRA ->
                    !failure.worthAnotherTry()
                                    || failures(item) >= attempt.admission().budget().maxTries()
                            ? Optional.of(masked(attempt, failure, millis))
                            : Optional.empty();
        };
    }

    private static int failures(StepView<FinishedAttempt> item) {
        return (int) item.events().stream().filter(e -> e.kind() == StepEvent.Kind.FAILED).count();
    }

    private static GradedAttempt rewarded(
            FinishedAttempt attempt, double reward, List<String> flags, long millis) {
        return new GradedAttempt(attempt, true, reward, null, flags, millis);
    }

    private static GradedAttempt masked(FinishedAttempt attempt, Failure failure, long millis) {
        return new GradedAttempt(attempt, false, 0, failure, List.of(), millis);
    }
}
