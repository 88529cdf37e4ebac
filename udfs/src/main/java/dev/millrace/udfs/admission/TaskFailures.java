package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;

/** How a task's verifier fared lately, as the gate keeps it; forgotten once it gives a verdict. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public final class TaskFailures {
    /** The task. */
    String taskId = "";

    /** Gradings in a row without a verdict. */
    int inARow;

    /** No group of the task begins before then, milliseconds of the clock. */
    long closedUntil;

    TaskFailures() {}

    static TaskFailures of(String taskId) {
        TaskFailures failures = new TaskFailures();
        failures.taskId = taskId;
        return failures;
    }
}
