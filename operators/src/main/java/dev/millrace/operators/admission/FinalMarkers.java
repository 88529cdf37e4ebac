package dev.millrace.operators.admission;

import java.io.Serializable;

/** Ends every topic of a run. */
@FunctionalInterface
public interface FinalMarkers extends Serializable {
    /**
     * Writes the final marker into every partition of every topic. Blocks until all are durable.
     * Doing it again changes nothing for the readers.
     */
    void write();
}
