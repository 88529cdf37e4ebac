package dev.millrace.backends.port;

import java.util.List;

/**
 * What a provider enforces on this host.
 *
 * @param attach how far a live sandbox can be found again
 * @param enforced limits and isolation in force, in words, for instance {@code pids: cgroup v1}
 * @param notEnforced what could not be had and what stands in for it, in words
 */
public record SandboxCapabilities(Attach attach, List<String> enforced, List<String> notEnforced) {

    /** From where a live sandbox can be found again. */
    public enum Attach {
        /** Never. */
        NONE,
        /** From the process that created it. */
        SAME_PROCESS,
        /** From any process. */
        ANYWHERE
    }
}
