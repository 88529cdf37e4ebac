package dev.millrace.jobs.preflight;

import java.util.List;
import java.util.Optional;

/** Runs all checks, so that all that is wrong is said at once. */
public final class Preflight {
    private Preflight() {}

    /** The refusals of all checks, in their order. */
    public static List<String> refusals(List<Check> checks) {
        return checks.stream().map(Check::refusal).flatMap(Optional::stream).toList();
    }
}
