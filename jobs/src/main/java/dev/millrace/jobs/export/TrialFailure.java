package dev.millrace.jobs.export;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.Outcome;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What went wrong with an attempt, by the names that Harbor has for it: they decide whether it
 * takes a reward for valid. Other causes keep their own names.
 *
 * @param type name of the exception
 * @param message for a person
 */
record TrialFailure(String type, String message) {
    /** Type of what ended because the run did. */
    static final String CANCELLED = "CancelledError";

    private static final Map<String, String> OF_CAUSE =
            Map.of(
                    Failure.CANCELLED,
                    CANCELLED,
                    "verifier_timeout",
                    "VerifierTimeoutError",
                    "reward_missing",
                    "RewardFileNotFoundError",
                    "reward_empty",
                    "RewardFileEmptyError",
                    "reward_unparsable",
                    "VerifierOutputParseError",
                    "reward_key_missing",
                    "VerifierOutputParseError");

    /** Ends of attempts whose reward counts all the same. */
    private static final Map<Outcome, TrialFailure> OF_OUTCOME =
            Map.of(
                    Outcome.TIME_LIMIT,
                    new TrialFailure("AgentTimeoutError", "the attempt's time was used up"),
                    Outcome.CONTEXT_LIMIT,
                    new TrialFailure(
                            "ContextLengthExceededError",
                            "the next turn would not have fitted into the context"),
                    Outcome.SANDBOX_KILLED,
                    new TrialFailure("SandboxKilledError", "the policy ended its own sandbox"));

    static Optional<TrialFailure> of(AttemptSummary attempt) {
        Failure failure = attempt.failure();
        if (failure != null) {
            String text = failure.failureClass() + " " + failure.cause() + ": " + failure.message();
            return Optional.of(new TrialFailure(type(failure.cause()), PlainText.of(text)));
        }
        if (attempt.outcome() == Outcome.CANCELLED) {
            return Optional.of(new TrialFailure(CANCELLED, "the run ended first"));
        }
        return Optional.ofNullable(OF_OUTCOME.get(attempt.outcome()));
    }

    /** {@code sandbox_create_failed} becomes {@code SandboxCreateFailedError}. */
    private static String type(String cause) {
        return OF_CAUSE.getOrDefault(
                cause,
                Arrays.stream(cause.replaceAll("[^A-Za-z0-9]+", "_").split("_"))
                        .filter(word -> !word.isEmpty())
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining("", "", "Error")));
    }
}
