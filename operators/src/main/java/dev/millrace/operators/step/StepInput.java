package dev.millrace.operators.step;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;

/**
 * What comes in on the keyed input of a durable step stage; exactly one part is set. Key the stream
 * by {@link #route}.
 *
 * @param admission an item of the stage Rollout, from the gate
 * @param finished an item of the stage Grading, from Rollout
 * @param turn a record or mark of the journal
 */
public record StepInput(Admission admission, FinishedAttempt finished, TopicRecord turn) {

    /** An item of Rollout. */
    public static StepInput of(Admission admission) {
        return new StepInput(admission, null, null);
    }

    /** An item of Grading. */
    public static StepInput of(FinishedAttempt finished) {
        return new StepInput(null, finished, null);
    }

    /** A record or mark of the journal. */
    public static StepInput of(TopicRecord turn) {
        return new StepInput(null, null, turn);
    }

    /** The key: where the item is played. */
    public String route() {
        if (turn != null) {
            return turn.key();
        }
        return admission != null ? admission.route() : finished.admission().route();
    }

    /** The item, of whichever stage; null when this is of the journal. */
    Object item() {
        return admission != null ? admission : finished;
    }
}
