package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** How published versions are measured on held-out tasks. The first and last always are. */
public record EvalSettings(
        @Setting(
                        about =
                                "steps between two evaluation rounds; 0 for only the first and the"
                                        + " last version",
                        byDefault = "0",
                        min = "0",
                        max = "10000000")
                int everySteps,
        @Setting(
                        about = "sampled attempts per held-out task and round",
                        byDefault = "4",
                        min = "1",
                        max = "1024")
                int attempts,
        @Setting(
                        about = "rollout slots that evaluation may use",
                        byDefault = "24",
                        min = "1",
                        max = "100000")
                int slots,
        @Setting(about = "also play every held-out task once at temperature 0", byDefault = "true")
                boolean greedy)
        implements Serializable {}
