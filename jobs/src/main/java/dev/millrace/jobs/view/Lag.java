package dev.millrace.jobs.view;

/**
 * How old the policies were that played what was trained on.
 *
 * @param mean steps, over all trained groups; 0 when there are none
 * @param max steps
 * @param groups trained groups
 */
public record Lag(double mean, long max, long groups) {}
