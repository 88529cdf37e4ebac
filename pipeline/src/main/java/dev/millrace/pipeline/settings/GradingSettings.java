package dev.millrace.pipeline.settings;

import dev.millrace.udfs.grading.TruncatedReward;
import java.io.Serializable;
import java.time.Duration;

/** How attempts are judged. */
public record GradingSettings(
        @Setting(
                        about = "attempts that are graded at once, in all",
                        byDefault = "4",
                        min = "1",
                        max = "100000")
                int slots,
        @Setting(
                        about = "time limit of a verifier's run",
                        byDefault = "20s",
                        min = "100ms",
                        max = "12h")
                Duration timeout,
        @Setting(
                        about = "valid attempts that a group needs, else it is dropped as failed",
                        byDefault = "6",
                        min = "2",
                        max = "1024")
                int minValidAttempts,
        @Setting(
                        about =
                                "what an attempt is worth that a limit of turns, context or time"
                                        + " ended: `keep` for what its verifier says, `zero` for 0,"
                                        + " `mask` to leave it out",
                        byDefault = "keep")
                TruncatedReward truncated,
        @Setting(
                        about =
                                "verdicts kept for equal tasks and equal workspaces, for tests that"
                                    + " always say the same about the same files; 0 grades every"
                                    + " attempt",
                        byDefault = "0",
                        min = "0",
                        max = "1000000")
                int reusedVerdicts)
        implements Serializable {}
