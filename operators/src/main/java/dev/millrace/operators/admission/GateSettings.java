package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionSettings;
import java.io.Serializable;

/**
 * What the gate goes by.
 *
 * @param admission what may be played
 * @param topics what it hears
 * @param rows where training tasks come from, null when the catalogue has them
 * @param finalMarkers ends the topics
 */
public record GateSettings(
        AdmissionSettings admission, GateTopics topics, GateRows rows, FinalMarkers finalMarkers)
        implements Serializable {
    /** Plays the tasks of the catalogue. */
    public GateSettings(AdmissionSettings admission, GateTopics topics, FinalMarkers finalMarkers) {
        this(admission, topics, null, finalMarkers);
    }
}
