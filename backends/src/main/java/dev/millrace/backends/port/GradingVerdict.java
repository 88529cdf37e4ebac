package dev.millrace.backends.port;

import dev.millrace.udfs.model.Failure;
import java.util.List;

/**
 * What a verifier said.
 *
 * @param reward finite, or null when there is no trustworthy verdict
 * @param failure why there is none, or null
 * @param flags what a person should know about it
 */
public record GradingVerdict(Double reward, Failure failure, List<String> flags) {}
