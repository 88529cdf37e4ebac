package dev.millrace.pipeline.settings;

import dev.millrace.backends.effect.EffectLimits;
import java.io.Serializable;
import java.time.Duration;

/** How long calls to the outside may take, and how often they are made. */
public record EffectSettings(
        @Setting(
                        about = "longest that making and preparing a sandbox may take",
                        byDefault = "2m",
                        min = "100ms",
                        max = "6h")
                Duration boot,
        @Setting(
                        about =
                                "longest that one answer of the policy may take; then it is asked"
                                        + " again",
                        byDefault = "2m",
                        min = "100ms",
                        max = "12h")
                Duration sample,
        @Setting(
                        about =
                                "how much longer than `rollout.execTimeout` a sandbox may take to"
                                        + " answer a command",
                        byDefault = "10s",
                        min = "10ms",
                        max = "1h")
                Duration execGrace,
        @Setting(
                        about = "longest that reading and storing what an attempt left may take",
                        byDefault = "1m",
                        min = "100ms",
                        max = "6h")
                Duration capture,
        @Setting(
                        about =
                                "how much longer than `grading.timeout` a grading may take: its"
                                        + " sandbox is made and its files are put there",
                        byDefault = "5m",
                        min = "100ms",
                        max = "6h")
                Duration gradingGrace,
        @Setting(
                        about = "longest that one try to remove a sandbox may take",
                        byDefault = "30s",
                        min = "10ms",
                        max = "1h")
                Duration terminate,
        @Setting(
                        about = "how often removing a sandbox is tried",
                        byDefault = "10",
                        min = "1",
                        max = "1000")
                int terminateTries,
        @Setting(
                        about =
                                "how long a policy or a sandbox provider that is away is waited"
                                        + " for, in one call",
                        byDefault = "10m",
                        min = "0s",
                        max = "7d")
                Duration patience,
        @Setting(
                        about = "first pause between calls that fail; doubles, up to 20 times it",
                        byDefault = "500ms",
                        min = "1ms",
                        max = "10m")
                Duration backoff,
        @Setting(
                        about =
                                "a sandbox that nobody uses or renews ends after this time, where"
                                        + " its provider can do that; 0s for never",
                        byDefault = "5m",
                        min = "0s",
                        max = "7d")
                Duration sandboxTtl,
        @Setting(
                        about = "most sandboxes that a subtask makes in a second; 0 for no limit",
                        byDefault = "0",
                        min = "0",
                        max = "10000")
                double createsPerSecond,
        @Setting(
                        about = "failures in a row to make a sandbox of an image that close it",
                        byDefault = "3",
                        min = "1",
                        max = "1000000")
                int quarantineAfter,
        @Setting(
                        about =
                                "verifier failures in a row of a task that close it: no group of it"
                                        + " begins meanwhile, and nothing of it is graded",
                        byDefault = "10",
                        min = "1",
                        max = "1000000")
                int quarantineTaskAfter,
        @Setting(
                        about = "how long an image or a task stays closed",
                        byDefault = "10m",
                        min = "0s",
                        max = "7d")
                Duration quarantine)
        implements Serializable {

    /**
     * The limits of a runner.
     *
     * @param verifier longest that a verifier may run: no other limit ends it before
     */
    public EffectLimits limits(Duration verifier) {
        return new EffectLimits(
                boot.toMillis(),
                sample.toMillis(),
                execGrace.toMillis(),
                capture.toMillis(),
                verifier.plus(gradingGrace).toMillis(),
                terminate.toMillis(),
                terminateTries,
                patience.toMillis(),
                backoff.toMillis(),
                sandboxTtl.toMillis(),
                createsPerSecond,
                quarantineAfter,
                quarantineTaskAfter,
                quarantine.toMillis());
    }
}
