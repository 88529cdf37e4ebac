package dev.millrace.udfs.model;

/** What became of a group. */
public enum Verdict {
    /** Its rewards differ: it teaches something. */
    MIXED,
    /** All valid rewards are equal: no signal. */
    CONSTANT,
    /** All valid rewards are equal, and the loss has a term that does without a difference. */
    KEPT,
    /** Too few attempts are valid. */
    FAILED,
    /** The run ended before the group did. */
    CANCELLED;

    /** Whether the group is trained on. */
    public boolean trains() {
        return this == MIXED || this == KEPT;
    }
}
