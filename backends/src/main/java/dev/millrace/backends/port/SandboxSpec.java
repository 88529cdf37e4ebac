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
 * @param user name or number of the user that commands run as; empty means the provider's own
 */
public record SandboxSpec(
        Lease lease,
        String image,
        String workdir,
        Map<String, String> environment,
        SandboxLimits limits,
        String user) {

    /** With commands of the provider's own user. */
    public SandboxSpec(
            Lease lease,
            String image,
            String workdir,
            Map<String, String> environment,
            SandboxLimits limits) {
        this(lease, image, workdir, environment, limits, "");
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

    /** Name of the lease. */
    public String leaseName() {
        return lease.name();
    }
}
