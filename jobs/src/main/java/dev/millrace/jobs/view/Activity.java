package dev.millrace.jobs.view;

/**
 * What is going on right now.
 *
 * @param playing attempts in play
 * @param grading attempts being graded
 * @param turnsPerSecond over the last half minute
 * @param attemptsPerSecond played to their end, over the last half minute
 * @param turns in all
 * @param attempts played to their end, in all
 */
public record Activity(
        long playing,
        long grading,
        double turnsPerSecond,
        double attemptsPerSecond,
        long turns,
        long attempts) {}
