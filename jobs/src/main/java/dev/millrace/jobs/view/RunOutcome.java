package dev.millrace.jobs.view;

import java.util.Locale;

/** How a run ended. */
public enum RunOutcome {
    /** All steps are trained, the last evaluation is done, nothing is open. */
    FINISHED,
    /** It ended before its last step, since so many groups in a row taught nothing. */
    STARVED,
    /** It could not go on. */
    FAILED,
    /** Somebody or its own time limit stopped it; it can be resumed. */
    INTERRUPTED;

    /** As summaries write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
