package dev.millrace.backends.harbor;

import dev.millrace.udfs.model.FailureClass;
import java.util.List;
import java.util.Map;

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
 * @param rewards all numbers that the test script gave, by name; {@code reward} is the one above
 */
public record Verdict(
        Double reward,
        FailureClass failureClass,
        String cause,
        List<String> flags,
        int exitCode,
        long wallMillis,
        String outputTail,
        Map<String, Double> rewards) {

    /** With no other number than the reward. */
    public Verdict(
            Double reward,
            FailureClass failureClass,
            String cause,
            List<String> flags,
            int exitCode,
            long wallMillis,
            String outputTail) {
        this(
                reward,
                failureClass,
                cause,
                flags,
                exitCode,
                wallMillis,
                outputTail,
                reward == null ? Map.of() : Map.of("reward", reward));
    }

    /** Whether there is a reward. */
    public boolean graded() {
        return reward != null;
    }
}
