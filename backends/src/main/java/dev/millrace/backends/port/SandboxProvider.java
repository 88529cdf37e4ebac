package dev.millrace.backends.port;

import java.util.Optional;

/**
 * Makes isolated sandboxes. All methods may block; callers bring their own threads. Thread-safe.
 *
 * <p>A provider enforces what a {@link SandboxSpec} asks for or refuses; it never runs a command
 * with less isolation.
 */
public interface SandboxProvider extends AutoCloseable {

    /** Short name for messages and metrics. */
    String name();

    /**
     * Finds out what this host can enforce.
     *
     * @throws SandboxException of kind UNSUPPORTED, with the remedy in its message, when isolation
     *     can't be given
     */
    SandboxCapabilities probe() throws SandboxException;

    /**
     * Creates a sandbox under the spec's lease name. Creating a lease again replaces the earlier
     * sandbox of that name.
     *
     * @throws SandboxException when it can't be created; nothing is left behind
     */
    Sandbox create(SandboxSpec spec) throws SandboxException;

    /** The live sandbox of a lease, if this provider can still reach it. */
    Optional<Sandbox> attach(String leaseName);

    /** Ends every sandbox that carries the owner label, and returns how many there were. */
    int reap(String owner);

    /** Ends all sandboxes of this provider and everything it keeps on the host. */
    @Override
    void close();
}
