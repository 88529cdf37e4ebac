package dev.millrace.udfs.model;

import java.util.List;

/**
 * A line of the topic {@code tasks}: how far the topic of task rows may be read. What a line allows
 * no later one takes back.
 *
 * @param limits of partitions that rows have come from: the offset to stop at
 * @param ahead rows that may be read of each other partition
 */
public record RowDemand(List<RowPosition> limits, int ahead) {

    /** Key of the line; that of a task is the run's id. */
    public static String key(String runId) {
        return runId + "/rows";
    }
}
