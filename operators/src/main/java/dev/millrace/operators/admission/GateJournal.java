package dev.millrace.operators.admission;

import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.model.StepEvent;
import org.apache.flink.api.common.functions.FilterFunction;

/**
 * Lets through what the gate needs of the journal: marks of the reading, and events of the rollout
 * stage that admit an attempt or may end one.
 */
public final class GateJournal implements FilterFunction<TopicRecord> {
    private static final long serialVersionUID = 1L;

    /** Stage whose items hold rollout slots. */
    static final String STAGE = "rollout";

    @Override
    public boolean filter(TopicRecord record) {
        if (record.kind() != TopicRecord.Kind.DATA) {
            return true;
        }
        try {
            Head head = Wire.decode(record.value(), Head.class);
            return STAGE.equals(head.stage()) && head.kind() != null && concerns(head.kind());
        } catch (WireException e) {
            // The gate refuses it by name.
            return true;
        }
    }

    private static boolean concerns(StepEvent.Kind kind) {
        return switch (kind) {
            case ADMITTED, CAPTURED, CANCELLED, FAILED -> true;
            case BOOTED, SAMPLED, EXECUTED, GRADED -> false;
        };
    }

    /** The parts of an event that decide; the rest is skipped unread. */
    record Head(String stage, StepEvent.Kind kind) {}
}
