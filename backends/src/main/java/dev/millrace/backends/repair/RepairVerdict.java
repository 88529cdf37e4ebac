package dev.millrace.backends.repair;

import dev.millrace.backends.harbor.Verdict;
import java.util.List;

/**
 * What the tests said about a repair.
 *
 * @param verdict reward, or why there is none
 * @param notRepaired tests that should pass and did not
 * @param broken tests that passed before and did not any more
 */
public record RepairVerdict(Verdict verdict, List<String> notRepaired, List<String> broken) {}
