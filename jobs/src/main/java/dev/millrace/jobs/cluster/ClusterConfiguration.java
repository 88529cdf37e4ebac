package dev.millrace.jobs.cluster;

import java.time.Duration;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Flink's settings of the members of a process cluster. */
final class ClusterConfiguration {
    private static final String HOST = "127.0.0.1";

    private final ClusterShape shape;
    private final int rpcPort;
    private final int restPort;

    ClusterConfiguration(ClusterShape shape, int rpcPort, int restPort) {
        this.shape = shape;
        this.rpcPort = rpcPort;
        this.restPort = restPort;
    }

    /** Settings of whoever talks to the JobManager from outside. */
    Configuration client() {
        Configuration c = new Configuration();
        c.set(JobManagerOptions.ADDRESS, HOST);
        c.set(RestOptions.ADDRESS, HOST);
        c.set(RestOptions.PORT, restPort);
        // A JobManager that is away is said to be away, not waited for.
        c.set(RestOptions.RETRY_MAX_ATTEMPTS, 3);
        c.set(RestOptions.RETRY_DELAY, Duration.ofMillis(500));
        return c;
    }

    Configuration jobManager(String temporary) {
        Configuration c = common(temporary);
        c.set(RestOptions.ADDRESS, HOST);
        c.set(RestOptions.BIND_ADDRESS, HOST);
        c.set(RestOptions.PORT, restPort);
        c.set(RestOptions.BIND_PORT, Integer.toString(restPort));
        c.set(JobManagerOptions.BIND_HOST, HOST);
        c.set(JobManagerOptions.TOTAL_PROCESS_MEMORY, mebiBytes(shape.jobManagerMb()));
        c.set(JobManagerOptions.JVM_METASPACE, mebiBytes(192));
        c.set(JobManagerOptions.JVM_OVERHEAD_MIN, mebiBytes(96));
        c.set(JobManagerOptions.JVM_OVERHEAD_MAX, mebiBytes(96));
        c.set(JobManagerOptions.OFF_HEAP_MEMORY, mebiBytes(64));
        return chosen(c);
    }

    /**
     * @param resourceId name that the TaskManager keeps over its restarts
     * @param rpc port of its calls
     * @param data port of its channels
     */
    Configuration taskManager(String resourceId, int rpc, int data, String temporary) {
        Configuration c = common(temporary);
        c.set(TaskManagerOptions.HOST, HOST);
        c.set(TaskManagerOptions.BIND_HOST, HOST);
        c.set(TaskManagerOptions.RPC_PORT, Integer.toString(rpc));
        c.set(NettyShuffleEnvironmentOptions.DATA_PORT, data);
        c.set(TaskManagerOptions.TASK_MANAGER_RESOURCE_ID, resourceId);
        c.set(TaskManagerOptions.NUM_TASK_SLOTS, shape.slotsPerTaskManager());
        c.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, mebiBytes(shape.taskManagerMb()));
        c.set(TaskManagerOptions.JVM_METASPACE, mebiBytes(192));
        c.set(TaskManagerOptions.JVM_OVERHEAD_MIN, mebiBytes(128));
        c.set(TaskManagerOptions.JVM_OVERHEAD_MAX, mebiBytes(128));
        c.set(TaskManagerOptions.FRAMEWORK_HEAP_MEMORY, mebiBytes(64));
        c.set(TaskManagerOptions.FRAMEWORK_OFF_HEAP_MEMORY, mebiBytes(64));
        c.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, mebiBytes(32));
        c.set(TaskManagerOptions.NETWORK_MEMORY_MIN, mebiBytes(48));
        c.set(TaskManagerOptions.NETWORK_MEMORY_MAX, mebiBytes(48));
        c.set(TaskManagerOptions.MANAGED_MEMORY_FRACTION, 0.2f);
        // It waits for a JobManager that is away, however long, and ends only when told.
        c.set(TaskManagerOptions.REGISTRATION_TIMEOUT, Duration.ofHours(24));
        return chosen(c);
    }

    private Configuration common(String temporary) {
        Configuration c = new Configuration();
        c.set(JobManagerOptions.ADDRESS, HOST);
        c.set(JobManagerOptions.PORT, rpcPort);
        c.set(CoreOptions.TMP_DIRS, temporary);
        // A killed process refuses connections at once, which two failed heartbeats show; the
        // timeout is for one that hangs, and long enough for a machine under load.
        c.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1));
        c.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofSeconds(20));
        // Slots that a lost job holds are free again soon.
        c.set(TaskManagerOptions.SLOT_TIMEOUT, Duration.ofSeconds(5));
        c.set(HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD, 2);
        // A machine under load takes longer than the 10 s that Flink gives.
        c.set(RpcOptions.ASK_TIMEOUT_DURATION, Duration.ofMinutes(1));
        // A TaskManager finds a restarted JobManager within seconds.
        c.set(ClusterOptions.MAX_REGISTRATION_TIMEOUT, Duration.ofSeconds(2));
        c.set(ClusterOptions.ERROR_REGISTRATION_DELAY, Duration.ofSeconds(1));
        c.set(ClusterOptions.REFUSED_REGISTRATION_DELAY, Duration.ofSeconds(1));
        // Tasks wait for a TaskManager that is away.
        c.set(ResourceManagerOptions.STANDALONE_CLUSTER_STARTUP_PERIOD_TIME, Duration.ofHours(1));
        return c;
    }

    private Configuration chosen(Configuration c) {
        shape.flinkOptions().forEach(c::setString);
        return c;
    }

    private static MemorySize mebiBytes(int count) {
        return MemorySize.ofMebiBytes(count);
    }
}
