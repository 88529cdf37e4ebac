package dev.millrace.backends.port;

import java.util.List;

/**
 * A live sandbox. One command at a time; {@link #kill} and {@link #close} may come from any thread
 * at any time.
 */
public interface Sandbox extends AutoCloseable {

    /** The lease it was created under. */
    String leaseName();

    /**
     * Runs a command with the shell of the image and waits for it. Standard input is empty. What
     * the command leaves in the background dies with the sandbox at the latest, and never delays
     * the answer.
     *
     * @throws SandboxException of kind DIED when the sandbox is gone; {@link
     *     SandboxException#policyCaused} says by whose hand
     */
    ExecResult exec(ExecRequest request) throws SandboxException;

    /**
     * Writes regular files below a directory, creating folders as needed.
     *
     * @param directory absolute path inside
     */
    void putFiles(String directory, List<SandboxFile> files) throws SandboxException;

    /**
     * Reads the regular files below a directory, without following links. The result is sorted by
     * path.
     *
     * @param directory absolute path inside
     * @param maxBytes most bytes of content in all; above it, kind QUOTA
     */
    List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException;

    /**
     * Keeps the file tree as it is now, for {@link SandboxProvider#createFrom}. To be called before
     * anything hostile has run.
     *
     * @param layer key of what the tree holds; the same key is the same tree
     * @return whether the provider has it from now on; false where trees can't be kept
     */
    default boolean keepAs(String layer) throws SandboxException {
        return false;
    }

    /** Ids of the commands that were started, in order; kept out of the agent's reach. */
    List<String> executedIds();

    /**
     * Kills everything inside, at once, and waits until it is gone. Idempotent, bounded in time.
     */
    void kill();

    /**
     * Says that its owner still needs the sandbox, where it would end by itself otherwise.
     *
     * @throws SandboxException of kind FENCED when a newer owner has it, DIED when it is gone
     */
    default void renew() throws SandboxException {}

    /**
     * Kills and removes the sandbox. Idempotent.
     *
     * @throws SandboxException when it may still be there; it is worth calling again
     */
    default void terminate() throws SandboxException {
        close();
    }

    /**
     * Kills and removes the sandbox, as far as that can be done now. Idempotent, bounded in time.
     */
    @Override
    void close();
}
