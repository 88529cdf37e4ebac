package dev.millrace.pipeline.settings;

import java.io.Serializable;
import java.time.Duration;

/** The job's own settings. */
public record FlinkSettings(
        @Setting(
                        about = "parallel subtasks of the rollout and grading stages",
                        byDefault = "2",
                        min = "1",
                        max = "128")
                int parallelism,
        @Setting(
                        about = "time between two checkpoints",
                        byDefault = "2s",
                        min = "100ms",
                        max = "1h")
                Duration checkpointInterval,
        @Setting(
                        about = "port of the Flink web UI on this machine; 0 for any free port",
                        byDefault = "8081",
                        min = "0",
                        max = "65535")
                int webPort,
        @Setting(
                        about = "managed memory of the local cluster (RocksDB), MiB",
                        byDefault = "256",
                        min = "32",
                        max = "1048576")
                int managedMemoryMb)
        implements Serializable {}
