package dev.millrace.bench.soak;

import java.util.Locale;

/** What a soak does to a run. */
enum KillKind {
    /** An exception in the task that plays attempts. */
    ROLLOUT_EXCEPTION(Region.ROLLOUT, When.AT_ITS_NEXT_CALL),
    /** An exception in the task that trains. */
    TRAINER_EXCEPTION(Region.LEARN, When.AT_ITS_NEXT_CALL),
    /** A TaskManager is killed and started again. */
    TASK_MANAGER(Region.ANY, When.AT_ONCE),
    /** The JobManager and all TaskManagers are killed at once; the job is handed to new ones. */
    WHOLE_JOB(Region.ANY, When.AT_ONCE),
    /** The JobManager is killed; the job is handed to a new one. */
    JOB_MANAGER(Region.ANY, When.AT_ONCE),
    /** The broker is killed and started again. */
    BROKER(Region.ANY, When.AT_ONCE),
    /** The trainer's session is gone in the middle of a step. */
    SESSION_LOST(Region.LEARN, When.AT_ITS_NEXT_CALL),
    /** A sandbox is gone in the middle of an attempt. */
    SANDBOX_GONE(Region.NONE, When.AT_ONCE),
    /** The model server is away for 90 virtual seconds. */
    MODEL_AWAY(Region.NONE, When.AT_ONCE),
    /** The job is cancelled and goes on from its newest checkpoint. */
    RESTORE(Region.ANY, When.AT_ONCE),
    /** The job goes on from a savepoint that is some steps old; the topics are as they are. */
    OLD_SAVEPOINT(Region.ANY, When.AT_ONCE),
    /** The job goes on at another parallelism. */
    RESCALE(Region.ANY, When.AT_ONCE),
    /** The job goes on with other operators in the stage that plays attempts. */
    STAGE_CHANGED(Region.ANY, When.AT_ONCE);

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

    /** When what is done has its effect. */
    private enum When {
        AT_ONCE,
        AT_ITS_NEXT_CALL
    }

    private final Region region;
    private final When when;

    KillKind(Region region, When when) {
        this.region = region;
        this.when = when;
    }

    /** Its name in what a soak prints. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** An exception in a task: all of them together have the share of one kind. */
    boolean isTaskException() {
        return this == ROLLOUT_EXCEPTION || this == TRAINER_EXCEPTION;
    }

    /** Whether it strikes within milliseconds, so that it can hit a checkpoint in progress. */
    boolean strikesAtOnce() {
        return when == When.AT_ONCE;
    }

    /** Whether something restarts, so that there is a recovery which can be disturbed. */
    boolean restartsSomething() {
        return region != Region.NONE;
    }

    /** Whether the job is handed to the JobManager again. */
    boolean resubmits() {
        return switch (this) {
            case WHOLE_JOB, JOB_MANAGER, RESTORE, OLD_SAVEPOINT, RESCALE, STAGE_CHANGED -> true;
            default -> false;
        };
    }

    /** What may restart because of it. */
    Region mayRestart() {
        return region;
    }
}
