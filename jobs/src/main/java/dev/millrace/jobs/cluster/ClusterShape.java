package dev.millrace.jobs.cluster;

import java.util.Map;

/**
 * How large a process cluster is.
 *
 * @param taskManagers processes that run tasks
 * @param slotsPerTaskManager slots of each
 * @param taskManagerMb memory of one TaskManager process, heap, managed and native, MiB
 * @param jobManagerMb memory of the JobManager process, MiB
 * @param flinkOptions Flink settings that replace those the cluster chooses, by key
 */
public record ClusterShape(
        int taskManagers,
        int slotsPerTaskManager,
        int taskManagerMb,
        int jobManagerMb,
        Map<String, String> flinkOptions) {

    /** Refuses a cluster without members. */
    public ClusterShape {
        if (taskManagers < 1 || slotsPerTaskManager < 1) {
            throw new IllegalArgumentException(
                    "a cluster has a TaskManager and a slot at least, not "
                            + taskManagers
                            + " and "
                            + slotsPerTaskManager);
        }
        flinkOptions = Map.copyOf(flinkOptions);
    }
}
