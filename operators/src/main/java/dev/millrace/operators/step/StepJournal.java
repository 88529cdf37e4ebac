package dev.millrace.operators.step;

import dev.millrace.udfs.model.StepEvent;
import java.io.Serializable;
import java.util.function.Consumer;

/** Where events are appended; they count once they are read back. Thread-safe, never blocks. */
interface StepJournal extends AutoCloseable {

    /** Appends an event; returns before it is durable. */
    void append(StepEvent event);

    /** Waits, bounded, for what was appended. */
    @Override
    void close();

    /** Opens the journal on the machine where the stage runs. */
    @FunctionalInterface
    interface Factory extends Serializable {

        /**
         * @param failed told, from any thread, when an event can't be made durable
         */
        StepJournal open(Consumer<Throwable> failed);
    }
}
