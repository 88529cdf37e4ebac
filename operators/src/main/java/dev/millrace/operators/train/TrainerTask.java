package dev.millrace.operators.train;

import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;

/** What the trainers of the runs of a job share: the task they run in. */
interface TrainerTask {
    /** Sends a record on. */
    void collect(PolicyRecord record);

    /** Reports what left the stream. */
    void reject(Reject reject);

    /** Has something done by the task's thread; callable from every thread. */
    void mail(Runnable work);

    /** Milliseconds, by the task's clock. */
    long now();

    /** Whether the job has more runs than one. */
    boolean hasOtherRuns();

    /** How many versions all runs have published since the task was opened. */
    long versions();
}
