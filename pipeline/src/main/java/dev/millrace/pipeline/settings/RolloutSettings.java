package dev.millrace.pipeline.settings;

import dev.millrace.udfs.model.AttemptBudget;
import java.io.Serializable;
import java.time.Duration;

/** How attempts are played. */
public record RolloutSettings(
        @Setting(
                        about = "attempts that are played at once, in all",
                        byDefault = "24",
                        min = "1",
                        max = "100000")
                int slots,
        @Setting(
                        about = "attempts of one task that are compared with each other",
                        byDefault = "8",
                        min = "2",
                        max = "1024")
                int groupSize,
        @Setting(
                        about = "sampling temperature of training and sampled evaluation attempts",
                        byDefault = "1.0",
                        min = "0.05",
                        max = "5")
                double temperature,
        @Setting(about = "most model calls of an attempt", byDefault = "4", min = "1", max = "1000")
                int maxTurns,
        @Setting(
                        about = "most tokens sampled in one turn",
                        byDefault = "24",
                        min = "1",
                        max = "1000000")
                int maxTokensPerTurn,
        @Setting(
                        about = "most tokens of an attempt: prompt, turns and observations",
                        byDefault = "384",
                        min = "2",
                        max = "10000000")
                int contextTokens,
        @Setting(
                        about = "time limit of one command in the sandbox",
                        byDefault = "5s",
                        min = "100ms",
                        max = "6h")
                Duration execTimeout,
        @Setting(
                        about = "running time an attempt may use, from the end of its boot",
                        byDefault = "30s",
                        min = "100ms",
                        max = "48h")
                Duration attemptTimeout,
        @Setting(
                        about =
                                "how often an attempt is started before infrastructure failures"
                                        + " count as lost",
                        byDefault = "3",
                        min = "1",
                        max = "100")
                int maxTries,
        @Setting(
                        about =
                                "turns in a row that can't be parsed and end the attempt; 0 for"
                                        + " any number",
                        byDefault = "2",
                        min = "0",
                        max = "1000")
                int maxFormatErrors,
        @Setting(
                        about = "a group closes with what it has after this time",
                        byDefault = "5m",
                        min = "1s",
                        max = "7d")
                Duration groupDeadline)
        implements Serializable {

    /** What the gate stamps on every attempt. */
    public AttemptBudget budget() {
        return new AttemptBudget(
                maxTurns,
                maxTokensPerTurn,
                contextTokens,
                maxFormatErrors,
                execTimeout.toMillis(),
                attemptTimeout.toMillis(),
                maxTries);
    }
}
