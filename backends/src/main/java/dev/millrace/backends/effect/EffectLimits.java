package dev.millrace.backends.effect;

/**
 * How long the outside may take, and how often it is asked. All times are milliseconds by this
 * machine's clock while the call runs: what a server or sandbox believes is not relied on.
 *
 * @param boot creating and preparing a sandbox once
 * @param sample one call to the policy; one that takes longer is made again
 * @param execGrace how much longer than its own limit a command may take to be answered
 * @param capture reading a workspace and storing it
 * @param grade one grading, its preparation included
 * @param terminate one try to remove a sandbox
 * @param terminateTries how often removing a sandbox is tried; its time to live does the rest
 * @param patience how long a provider or a policy that is away is waited for, in one effect
 * @param backoff first pause between calls that failed; doubles up to 20 times as much
 * @param ttl a sandbox that nobody uses or renews ends after that long
 * @param createsPerSecond most sandboxes created in a second; 0 for no limit
 * @param quarantineAfter that many failed creations in a row close an image
 * @param quarantineTaskAfter that many gradings in a row without a verdict by the verifier's fault
 *     close a task
 * @param quarantine how long an image or a task stays closed
 */
public record EffectLimits(
        long boot,
        long sample,
        long execGrace,
        long capture,
        long grade,
        long terminate,
        int terminateTries,
        long patience,
        long backoff,
        long ttl,
        double createsPerSecond,
        int quarantineAfter,
        int quarantineTaskAfter,
        long quarantine) {

    /** Values for sandboxes and policies on this machine. */
    public static EffectLimits usual() {
        return new EffectLimits(
                120_000, 120_000, 10_000, 60_000, 900_000, 30_000, 10, 600_000, 500, 300_000, 0, 3,
                10, 600_000);
    }
}
