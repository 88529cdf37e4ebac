package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionSettings;
import java.io.Serializable;
import java.util.List;

/**
 * What the gate goes by.
 *
 * @param runs the runs of the job, at least one; they share the slots that each of them names
 * @param topics what it hears
 * @param rows where training tasks come from, null when the catalogue has them
 * @param finalMarkers ends the topics
 */
public record GateSettings(
        List<RunShare> runs, GateTopics topics, GateRows rows, FinalMarkers finalMarkers)
        implements Serializable {
    /** A gate needs a run; rows are played once, so only one run can have them. */
    public GateSettings {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("A gate needs at least one run");
        }
        if (rows != null && runs.size() > 1) {
            throw new IllegalArgumentException("Rows of a topic are played by one run");
        }
    }

    /** Plays the tasks of the catalogues. */
    public GateSettings(List<RunShare> runs, GateTopics topics, FinalMarkers finalMarkers) {
        this(runs, topics, null, finalMarkers);
    }

    /** The gate of a job with one run, which plays the tasks of its catalogue. */
    public GateSettings(AdmissionSettings admission, GateTopics topics, FinalMarkers finalMarkers) {
        this(List.of(new RunShare(admission, 1)), topics, finalMarkers);
    }

    /** Attempts that may be open at a time, of all runs together. */
    int slots() {
        return runs.get(0).admission().slots();
    }

    /** Whether a topic is that of the rows. */
    boolean hasRowsIn(String topic) {
        return rows != null && rows.topic().equals(topic);
    }
}
