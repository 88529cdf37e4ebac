package dev.millrace.udfs.model;

import java.util.List;

/**
 * An attempt with its verdict.
 *
 * @param attempt what was played
 * @param valid whether the reward counts: false when infrastructure or the verifier failed
 * @param reward finite; 0 when not valid
 * @param failure why it isn't valid, or null
 * @param flags what a person should know about the verdict
 * @param gradingMillis time grading took
 */
public record GradedAttempt(
        FinishedAttempt attempt,
        boolean valid,
        double reward,
        Failure failure,
        List<String> flags,
        long gradingMillis) {}
