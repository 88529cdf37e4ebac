package dev.millrace.jobs.view;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;

/**
 * Takes the records of a run's topics, each topic in its own order. Times are those of the records,
 * milliseconds since 1970.
 */
public interface RunRecords {

    /** A closed group, or the mark behind the last one. */
    void group(GroupRecord group, long millis);

    /** An announcement or a publication. */
    void policy(PolicyRecord policy, long millis);

    /** What became of a closed group. */
    void progress(ProgressRecord progress, long millis);

    /** A line of the journal. */
    void step(StepEvent event, long millis);

    /** A record that left the stream. */
    void reject(Reject reject, long millis);
}
