package dev.millrace.backends.harbor;

import dev.millrace.udfs.model.FailureClass;
import java.util.List;

/**
 * What grading an attempt gave.
 *
 * @param reward of the test script; null when there is none that can be trusted
 * @param failureClass why there is no reward; null when there is one
 * @param cause name of the reason, for instance {@code reward_missing}; empty with a reward
 * @param flags what a reader should know besides, for instance {@code rewards_disagree}
 * @param exitCode of the test script, which decides nothing; -1 when it did not end by itself
 * @param wallMillis of the whole grading
 * @param outputTail last part of what the test script printed
 */
public record Verdict(
        Double reward,
        FailureClass failureClass,
        String cause,
        List<String> flags,
        int exitCode,
        long wallMillis,
        String outputTail) {

    /** Whether there is a reward. */
    public boolean graded() {
        return reward != null;
    }
}
