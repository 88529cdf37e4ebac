package dev.millrace.bench.soak;

/**
 * One kill of a plan.
 *
 * @param kind what is done
 * @param atStep the step that the trainer must have reached
 * @param delayMillis how long after that
 * @param duringCheckpoint whether it waits for a checkpoint to be in progress
 * @param beforeRecovered whether it does not wait until the kill before it is overcome
 * @param choice chooses among members
 */
record Kill(
        KillKind kind,
        long atStep,
        long delayMillis,
        boolean duringCheckpoint,
        boolean beforeRecovered,
        int choice) {}
