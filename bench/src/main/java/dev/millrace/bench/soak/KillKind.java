package dev.millrace.bench.soak;

/** What a soak does to a run. */
enum KillKind {
    /** An exception in the task that plays attempts. */
    ROLLOUT_EXCEPTION(Region.ROLLOUT),
    /** An exception in the task that trains. */
    TRAINER_EXCEPTION(Region.LEARN),
    /** A TaskManager is killed and started again. */
    TASK_MANAGER(Region.ANY),
    /** The job is cancelled and goes on from its newest checkpoint. */
    RESTORE(Region.ANY),
    /** The JobManager is killed; the job is handed to a new one. */
    JOB_MANAGER(Region.ANY),
    /** The broker is killed and started again. */
    BROKER(Region.ANY),
    /** The trainer's session is gone in the middle of a step. */
    SESSION_LOST(Region.LEARN),
    /** A sandbox is gone in the middle of an attempt. */
    SANDBOX_GONE(Region.NONE),
    /** The model server is away for 90 virtual seconds. */
    MODEL_AWAY(Region.NONE),
    /** The job goes on from a savepoint that is some steps old; the topics are as they are. */
    OLD_SAVEPOINT(Region.ANY),
    /** The job goes on at another parallelism. */
    RESCALE(Region.ANY);

    /** Which part of a job may restart. */
    enum Region {
        /** None. */
        NONE,
        /** The one that plays. */
        ROLLOUT,
        /** The one that trains. */
        LEARN,
        /** All. */
        ANY
    }

    private final Region region;

    KillKind(Region region) {
        this.region = region;
    }

    /** Whether the job is handed to the JobManager again. */
    boolean resubmits() {
        return this == RESTORE || this == JOB_MANAGER || this == OLD_SAVEPOINT || this == RESCALE;
    }

    /** What may restart because of it. */
    Region mayRestart() {
        return region;
    }
}
