package dev.millrace.backends.port;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes isolated sandboxes. All methods may block; callers bring their own threads. Thread-safe.
 *
 * <p>A provider enforces what a {@link SandboxSpec} asks for or refuses; it never runs a command
 * with less isolation.
 *
 * <p>A lease belongs to the highest fence that has asked for it. Whatever an older owner asks for
 * afterwards, by a sandbox it still holds or by name, is refused with kind FENCED and changes
 * nothing.
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
     * Whether commands can run as that user. One that can't is refused before anything is created.
     *
     * @param user as in a {@link SandboxSpec}
     */
    default boolean servesUser(String user) {
        return user.isEmpty();
    }

    /**
     * Creates a sandbox under the spec's lease. The same lease again, with the same fence, gives
     * the sandbox that there is; a newer fence replaces it by a fresh one.
     *
     * @throws SandboxException when it can't be created; nothing is left behind
     */
    Sandbox create(SandboxSpec spec) throws SandboxException;

    /**
     * Whether file trees can be kept and shared by sandboxes.
     *
     * @throws SandboxException as {@link #probe}
     */
    default boolean sharesTrees() throws SandboxException {
        return false;
    }

    /**
     * Creates a sandbox that starts with a kept file tree and shares it with others, as far as it
     * does not change it.
     *
     * @param layer key of {@link Sandbox#keepAs}
     * @return empty when there is no such tree, or not any more
     * @throws SandboxException as {@link #create}
     */
    default Optional<Sandbox> createFrom(String layer, SandboxSpec spec) throws SandboxException {
        return Optional.empty();
    }

    /**
     * The live sandbox of a lease, if this provider can still reach it. Its former owner can do
     * nothing with it from then on.
     *
     * @throws SandboxException of kind FENCED when a newer owner has the lease
     */
    Optional<Sandbox> attach(Lease lease) throws SandboxException;

    /** Names of the leases of an owner, or of one below it, that have a sandbox in any state. */
    List<String> leases(String owner);

    /**
     * Ends the owner's sandboxes that openings before this one have left, and refuses those
     * openings from now on.
     *
     * @param owner exact label
     * @param fence of the opening that asks; sandboxes of this fence and of newer ones stay
     * @param keep names of leases that stay
     * @return how many were ended
     */
    int reap(String owner, long fence, Set<String> keep);

    /** Ends every sandbox that carries the owner label, and returns how many there were. */
    default int reap(String owner) {
        return reap(owner, Long.MAX_VALUE, Set.of());
    }

    /** Ends all sandboxes of this provider and everything it keeps on the host. */
    @Override
    void close();
}
