package dev.millrace.backends.port;

import java.util.Map;

/**
 * What a sandbox must be.
 *
 * @param leaseName unique name, known before the sandbox exists
 * @param owner label that a reaper looks for, the run id
 * @param image reference of the root file system; empty means the provider's default tool chain
 * @param workdir absolute path where commands start; exists, is writable and is on the sized disk
 * @param environment variables inside; nothing else of the host's environment is visible
 * @param limits resources
 */
public record SandboxSpec(
        String leaseName,
        String owner,
        String image,
        String workdir,
        Map<String, String> environment,
        SandboxLimits limits) {}
