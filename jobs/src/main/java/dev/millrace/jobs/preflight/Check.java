package dev.millrace.jobs.preflight;

import java.util.Optional;

/** One thing that must be so before a run starts. */
@FunctionalInterface
public interface Check {

    /** Why the run can't start and what to do about it, or nothing when all is well. */
    Optional<String> refusal();
}
