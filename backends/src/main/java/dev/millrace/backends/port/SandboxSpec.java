package dev.millrace.backends.port;

import java.util.Map;

/**
 * What a sandbox must be.
 *
 * @param lease under which right it exists
 * @param image reference of the root file system; empty means the provider's default tool chain
 * @param workdir absolute path where commands start; exists, is writable and is on the sized disk
 * @param environment variables inside; nothing else of the host's environment is visible
 * @param limits resources
 * @param user who runs commands, by name or number; empty means as the image says, without an image
 *     the provider's own
 * @param preparing whether its commands make an environment, and no agent's code runs in it: then
 *     they are the image's root, with what the provider grants to preparation, its limits among it
 */
public record SandboxSpec(
        Lease lease,
        String image,
        String workdir,
        Map<String, String> environment,
        SandboxLimits limits,
        String user,
        boolean preparing) {

    /** For code that isn't trusted. */
    public SandboxSpec(
            Lease lease,
            String image,
            String workdir,
            Map<String, String> environment,
            SandboxLimits limits) {
        this(lease, image, workdir, environment, limits, "", false);
    }

    /** Of an owner that no later one takes over from. */
    public SandboxSpec(
            String leaseName,
            String owner,
            String image,
            String workdir,
            Map<String, String> environment,
            SandboxLimits limits) {
        this(Lease.of(leaseName, owner), image, workdir, environment, limits);
    }

    /** The same for another user of the image. */
    public SandboxSpec as(String other) {
        return new SandboxSpec(lease, image, workdir, environment, limits, other, preparing);
    }

    /** The same to make the environment in; the provider says within which limits. */
    public SandboxSpec forPreparation() {
        return new SandboxSpec(lease, image, workdir, environment, limits, "", true);
    }

    /** The same within other limits. */
    public SandboxSpec within(SandboxLimits others) {
        return new SandboxSpec(lease, image, workdir, environment, others, user, preparing);
    }

    /** Name of the lease. */
    public String leaseName() {
        return lease.name();
    }
}
