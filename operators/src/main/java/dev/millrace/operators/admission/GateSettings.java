package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionSettings;
import java.io.Serializable;

/**
 * What the gate goes by.
 *
 * @param admission what may be played
 * @param topics what it hears
 * @param finalMarkers ends the topics
 */
public record GateSettings(
        AdmissionSettings admission, GateTopics topics, FinalMarkers finalMarkers)
        implements Serializable {}
