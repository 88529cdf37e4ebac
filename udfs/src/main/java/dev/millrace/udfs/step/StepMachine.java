package dev.millrace.udfs.step;

import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * The rules of a durable step stage, without clock, randomness or I/O. An item is its admission and
 * the events that happened to it, in order; everything else is derived.
 *
 * <p>An event is applied if, and only if, its effect id is one that {@link #due} names at that
 * moment; anything else is a repetition or the word of a dead writer.
 *
 * @param <I> what the stage takes
 * @param <O> what it gives
 */
public interface StepMachine<I, O> extends Serializable {

    /** Name of the stage, as in {@link StepEvent#stage}. */
    String stage();

    /** Key of an input: where it is played. */
    String route(I input);

    /** Id of an input, the same in every admission. */
    String itemId(I input);

    /** Which admission of the item an input is. */
    String admissionId(I input);

    /** The journal's first event of an item. */
    StepEvent admitted(I input);

    /** The input back from its first event. */
    I input(StepEvent admitted);

    /**
     * Effects that should be under way now, with ids that never repeat within an admission. Those
     * that already are stay as they are. Empty once there is a result.
     */
    List<Effect> due(StepView<I> item);

    /** What the item became, once it is over. */
    Optional<O> result(StepView<I> item);

    /** What is to be said of a result's item besides, when it could not be played at all. */
    default Optional<Reject> reject(O result) {
        return Optional.empty();
    }

    /** Whether the end of training cancels this item. */
    boolean cancelledByEndOfTraining(I input);
}
