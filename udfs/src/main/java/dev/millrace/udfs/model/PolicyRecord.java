package dev.millrace.udfs.model;

import java.util.Map;

/**
 * A line of the topic {@code policies}.
 *
 * @param runId the run
 * @param kind announcement of an epoch, or publication of a version
 * @param epoch claimed by the trainer that wrote it
 * @param step of an announcement: where the epoch forks from its parent; of a publication:
 *     optimiser batches in it
 * @param parentEpoch epoch whose saved state this one continues
 * @param nonce tells two trainers that claim the same epoch apart
 * @param uri where a sampler finds the weights; empty when it is no publication
 * @param last whether the run's last step is in it
 * @param metrics what the step measured, by name
 * @param cause of a failure: why, for a person; else empty, or null in older lines
 */
public record PolicyRecord(
        String runId,
        Kind kind,
        long epoch,
        long step,
        long parentEpoch,
        String nonce,
        String uri,
        boolean last,
        Map<String, Double> metrics,
        String cause) {

    /** An announcement or a publication. */
    public PolicyRecord(
            String runId,
            Kind kind,
            long epoch,
            long step,
            long parentEpoch,
            String nonce,
            String uri,
            boolean last,
            Map<String, Double> metrics) {
        this(runId, kind, epoch, step, parentEpoch, nonce, uri, last, metrics, "");
    }

    /**
     * A run that its trainer gives up under an epoch.
     *
     * @param step steps in its newest version, 0 when there is none
     */
    public static PolicyRecord failed(
            String runId, long epoch, long step, long parentEpoch, String nonce, String cause) {
        return new PolicyRecord(
                runId, Kind.FAILED, epoch, step, parentEpoch, nonce, "", false, Map.of(), cause);
    }

    /** What a line says. */
    public enum Kind {
        /** A trainer claims an epoch, before its first effect. */
        ANNOUNCE,
        /** A version can be sampled from. */
        PUBLICATION,
        /** The trainer can't go on with this run; it ends, unless a later epoch goes on. */
        FAILED
    }

    /** The version that a publication makes available. */
    public PolicyVersion version() {
        return new PolicyVersion(epoch, step);
    }

    /** How a publication is sampled from. */
    public PolicyRef ref() {
        return new PolicyRef(version(), uri);
    }
}
