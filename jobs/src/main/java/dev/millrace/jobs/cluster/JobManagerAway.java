package dev.millrace.jobs.cluster;

/**
 * No JobManager answers for the job: the process is gone or not yet up, or it was started again and
 * does not know the job. The job itself can be resubmitted.
 */
public final class JobManagerAway extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobManagerAway(String message, Throwable cause) {
        super(message, cause);
    }

    JobManagerAway(String message) {
        this(message, null);
    }
}
