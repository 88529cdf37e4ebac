package dev.millrace.udfs.model;

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

    /** The run ended first. */
    public static Failure cancelled() {
        return new Failure(FailureClass.INFRA, CANCELLED, "the run ended first");
    }
}
