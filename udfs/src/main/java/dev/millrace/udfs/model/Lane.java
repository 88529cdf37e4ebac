package dev.millrace.udfs.model;

/** What a group is played for. */
public enum Lane {
    /** Its groups may become minibatches. */
    TRAIN,
    /** Its groups measure one published policy version and are never trained on. */
    EVAL
}
