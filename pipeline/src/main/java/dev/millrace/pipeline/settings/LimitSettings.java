package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Where the run stops itself. */
public record LimitSettings(
        @Setting(
                        about = "wall-clock minutes after which the run is stopped; 0 for no limit",
                        byDefault = "30",
                        min = "0",
                        max = "1000000")
                int maxMinutes,
        @Setting(
                        about =
                                "batches of finished groups in a row without a mixed one after"
                                        + " which the run ends as starved; 0 for never",
                        byDefault = "40",
                        min = "0",
                        max = "1000000")
                int starvationLimit,
        @Setting(
                        about = "free space that the output's disk must have at the start, MiB",
                        byDefault = "1024",
                        min = "0",
                        max = "1000000000")
                long minFreeDiskMb)
        implements Serializable {}
