package dev.millrace.udfs.grading;

import dev.millrace.udfs.model.Outcome;

/** What an attempt is worth whose work was ended by a limit: of turns, of context or of time. */
public enum TruncatedReward {
    /** What its verifier says, as of any other. */
    KEEP,
    /** Reward 0, without a verifier. */
    ZERO,
    /** Nothing: it is left out of its group's statistics and of training. */
    MASK;

    /** Name of it in flags and causes. */
    public static final String TRUNCATED = "truncated";

    /** Whether a limit ended the work, and not the policy. */
    public static boolean isTruncated(Outcome outcome) {
        return outcome == Outcome.TURN_LIMIT
                || outcome == Outcome.CONTEXT_LIMIT
                || outcome == Outcome.TIME_LIMIT;
    }
}
