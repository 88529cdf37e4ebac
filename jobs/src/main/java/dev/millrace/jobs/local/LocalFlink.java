package dev.millrace.jobs.local;

import dev.millrace.jobs.launch.FlinkDefaults;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.pipeline.settings.FlinkSettings;
import dev.millrace.pipeline.topology.TrainTopology;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Flink's settings for a run in this process. */
final class LocalFlink {
    private LocalFlink() {}

    /**
     * @param restore URI of a checkpoint or savepoint to start from
     */
    static Configuration configuration(
            FlinkSettings settings, RunFolder folder, int webPort, Optional<String> restore) {
        Configuration c =
                FlinkDefaults.job(
                        settings, folder.checkpointsUri(), folder.savepointsUri(), restore);
        c.set(TaskManagerOptions.NUM_TASK_SLOTS, TrainTopology.slots(settings));
        c.set(
                TaskManagerOptions.MANAGED_MEMORY_SIZE,
                MemorySize.ofMebiBytes(settings.managedMemoryMb()));
        c.set(JobManagerOptions.BIND_HOST, "127.0.0.1");
        c.set(TaskManagerOptions.BIND_HOST, "127.0.0.1");
        c.set(RestOptions.ADDRESS, "127.0.0.1");
        c.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        c.set(RestOptions.PORT, webPort);
        c.set(RestOptions.BIND_PORT, Integer.toString(webPort));
        return c;
    }
}
