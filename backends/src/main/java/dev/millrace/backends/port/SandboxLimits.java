package dev.millrace.backends.port;

/**
 * Resources of one sandbox. There is never a network.
 *
 * @param cpus processor share, 1.0 is one core
 * @param memoryMb main memory, MiB
 * @param processes most tasks at once
 * @param diskMb all that can be written, MiB
 */
public record SandboxLimits(double cpus, int memoryMb, int processes, int diskMb) {

    /** Enough for a small repository and its unit tests. */
    public static final SandboxLimits SMALL = new SandboxLimits(1.0, 256, 64, 32);
}
