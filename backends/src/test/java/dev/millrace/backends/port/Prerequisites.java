package dev.millrace.backends.port;

import org.opentest4j.TestAbortedException;

/**
 * A provider that can't work on this host is reported as skipped, with its own reason: neither
 * passed nor failed.
 */
final class Prerequisites {
    private Prerequisites() {}

    /** Ends the test as skipped when the provider says that this host can't do it. */
    static void require(SandboxProvider provider) throws SandboxException {
        try {
            provider.probe();
        } catch (SandboxException e) {
            if (e.kind() != SandboxException.Kind.UNSUPPORTED) {
                throw e;
            }
            throw new TestAbortedException("skipped: " + provider.name() + ": " + e.getMessage());
        }
    }
}
