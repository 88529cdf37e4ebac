package dev.millrace.udfs.model;

import java.util.Set;

/**
 * A typed failure.
 *
 * @param failureClass whose fault it is
 * @param cause short stable name that can be counted, for instance {@code sandbox_create_failed}
 * @param message for a person; holds no secret and no byte of an agent's output
 */
public record Failure(FailureClass failureClass, String cause, String message) {

    /** Cause of what ended because the run did. */
    public static final String CANCELLED = "cancelled";

    /** Cause of what was asked of a policy version that nobody serves any more. */
    public static final String VERSION_GONE = "sampler_version_gone";

    /**
     * Cause of what an attempt's own running time ended; the work done so far counts. Reported with
     * class POLICY.
     */
    public static final String ATTEMPT_DEADLINE = "attempt_deadline";

    /** Cause of what is not tried because sandboxes of its image could not be created lately. */
    public static final String IMAGE_QUARANTINED = "image_quarantined";

    /**
     * Cause of what is not graded because its task's verifier gave no verdict lately. Reported with
     * class VERIFIER.
     */
    public static final String TASK_QUARANTINED = "task_quarantined";

    /** Cause of what the model server refuses: the same request would be refused again. */
    public static final String SAMPLER_REFUSED = "sampler_refused";

    /** Cause of what a sandbox provider can't do at all. */
    public static final String SANDBOX_UNSUPPORTED = "sandbox_unsupported";

    private static final Set<String> FINAL =
            Set.of(
                    CANCELLED,
                    IMAGE_QUARANTINED,
                    SAMPLER_REFUSED,
                    SANDBOX_UNSUPPORTED,
                    VERSION_GONE);

    /**
     * Whether trying again may help: only what infrastructure lost is tried again, and not what
     * would be refused the same way.
     */
    public boolean worthAnotherTry() {
        return failureClass == FailureClass.INFRA && !FINAL.contains(cause);
    }

    /** The run ended first. */
    public static Failure cancelled() {
        return new Failure(FailureClass.INFRA, CANCELLED, "the run ended first");
    }
}
