package dev.millrace.pipeline.settings;

import java.io.Serializable;
import java.time.Duration;

/** Where the run stops itself, and what it waits for no longer. */
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
                long minFreeDiskMb,
        @Setting(
                        about =
                                "a stage that has work and has not moved for this long is reported"
                                        + " as the event `no_progress`; 0s turns this off",
                        byDefault = "60s",
                        min = "0s",
                        max = "7d")
                Duration noProgressAfter,
        EffectSettings effects)
        implements Serializable {}
