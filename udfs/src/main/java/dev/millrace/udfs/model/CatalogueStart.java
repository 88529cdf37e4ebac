package dev.millrace.udfs.model;

/**
 * A line of the topic {@code tasks}: the tasks behind it are a catalogue of their own, and the run
 * plays them from its first index on. A run that never was given other tasks has one catalogue.
 *
 * @param number of the catalogue in its run; the first is 0
 * @param firstIndex index of the first training group that plays its tasks; none of that index was
 *     played when it was written
 * @param train digest of the rows that are trained on
 * @param heldOut digest of the rows that measure
 * @param tasks how many follow
 * @param rejectedRows rows that are no tasks
 */
public record CatalogueStart(
        int number, long firstIndex, String train, String heldOut, int tasks, int rejectedRows) {

    /** Key of the line; that of a task is the run's id. */
    public static String key(String runId) {
        return runId + "/catalogue";
    }
}
