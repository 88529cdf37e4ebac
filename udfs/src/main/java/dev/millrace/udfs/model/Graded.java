package dev.millrace.udfs.model;

import java.util.List;

/**
 * A verifier's trustworthy verdict.
 *
 * @param reward finite
 * @param flags what a person should know about it, for instance {@code reward_preexisting}
 */
public record Graded(double reward, List<String> flags) {}
