package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionSettings;
import java.io.Serializable;
import java.util.List;

/**
 * What the gate goes by.
 *
 * @param runs the runs of the job, at least one; they share the slots that each of them names
 * @param topics what it hears
 * @param finalMarkers ends the topics
 */
public record GateSettings(List<RunShare> runs, GateTopics topics, FinalMarkers finalMarkers)
        implements Serializable {
    /** A gate needs a run. */
    public GateSettings {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("A gate needs at least one run");
        }
    }

    /** The gate of a job with one run. */
    public GateSettings(AdmissionSettings admission, GateTopics topics, FinalMarkers finalMarkers) {
        this(List.of(new RunShare(admission, 1)), topics, finalMarkers);
    }

    /** Attempts that may be open at a time, of all runs together. */
    int slots() {
        return runs.get(0).admission().slots();
    }
}
