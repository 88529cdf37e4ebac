package dev.millrace.bench.sim;

/** What goes wrong with a call. */
public enum FaultEffect {
    /** It is carried out and never answered. */
    HANG,
    /** It is refused with an HTTP status and not carried out. */
    STATUS,
    /** It is carried out and answered late. */
    SLOW,
    /** The sandbox it concerns is ended first. */
    GONE,
    /** The session it concerns is forgotten first. */
    SESSION_LOST,
    /** It is refused, and the adapter raises an exception in the task that uses it. */
    TASK_EXCEPTION,
    /** It is answered with a log-probability that is no number. */
    NAN
}
