package dev.millrace.udfs.model;

/** What became of a group. */
public enum Verdict {
    /** Its rewards differ: it teaches something. */
    MIXED,
    /** All valid rewards are equal: no signal. */
    CONSTANT,
    /** Too few attempts are valid. */
    FAILED,
    /** The run ended before the group did. */
    CANCELLED
}
