package dev.millrace.udfs.model;

/**
 * All that the policy said in an attempt, in short: enough to tell whether another attempt said the
 * same, and how likely that was.
 *
 * @param sha256 lower-case hex digest of the sampled ids, in order
 * @param logprob sum of their log-probabilities, base e
 */
public record Spoken(String sha256, double logprob) {}
