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
                int managedMemoryMb,
        @Setting(
                        about =
                                "task heap of a slot, MiB; only used when `train.placement` asks"
                                        + " for a GPU, as the next two",
                        byDefault = "256",
                        min = "32",
                        max = "1048576")
                int slotHeapMb,
        @Setting(
                        about = "managed memory of a slot (RocksDB), MiB",
                        byDefault = "128",
                        min = "32",
                        max = "1048576")
                int slotManagedMb,
        @Setting(about = "processor cores of a slot", byDefault = "1.0", min = "0.1", max = "1024")
                double slotCpus)
        implements Serializable {}
