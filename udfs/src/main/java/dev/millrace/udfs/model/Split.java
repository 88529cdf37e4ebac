package dev.millrace.udfs.model;

/** Which part of a data set a task belongs to. */
public enum Split {
    /** Tasks the policy learns from. */
    TRAIN,
    /** Held-out tasks that settings may be tuned on. */
    VALIDATION,
    /** Held-out tasks that only report. */
    TEST
}
