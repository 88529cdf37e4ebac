package dev.millrace.backends.port;

import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a task is made of: its statement, its workspace and its verifier. May block. Thread-safe.
 */
public interface TaskEnvironment extends AutoCloseable {
    /** How ids of commands begin that are the environment's own, not the agent's. */
    String OWN = "prepare-";

    /**
     * What the policy reads.
     *
     * @throws SandboxException of kind IMAGE when the task can't be read
     */
    String instruction(Task task) throws SandboxException;

    /**
     * How many instructions the task gives, one after the other.
     *
     * @throws SandboxException as {@link #instruction}
     */
    default int steps(Task task) throws SandboxException {
        return 1;
    }

    /**
     * Prepares the sandbox of an attempt for a later step. Commands have ids of the environment's
     * own; what was done before may be done again.
     *
     * @param step from 1
     * @return what the policy reads then; empty when the step can't be played, by whatever the
     *     agent has left
     */
    default Optional<String> advance(Task task, int step, Sandbox sandbox) throws SandboxException {
        return Optional.empty();
    }

    /**
     * Whether an attempt may go on, by what it has come to.
     *
     * @param step that has ended, from 0
     * @param workspace as {@link #capture} gave it then
     * @param lease for a sandbox that is gone afterwards
     * @throws SandboxException when infrastructure failed
     */
    default boolean mayGoOn(Task task, int step, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        return true;
    }

    /**
     * One workspace to be graded, of those at the ends of an attempt's steps.
     *
     * @param steps at least one, in order
     */
    default List<SandboxFile> join(Task task, List<List<SandboxFile>> steps)
            throws SandboxException {
        return steps.get(steps.size() - 1);
    }

    /**
     * Creates a sandbox with the task's workspace in it, as the agent finds it. Commands of its own
     * have ids that begin with {@link #OWN}.
     */
    Sandbox open(Task task, Lease lease) throws SandboxException;

    /** How far a sandbox outlives who opened it. */
    default SandboxCapabilities.Attach attachment() throws SandboxException {
        return SandboxCapabilities.Attach.NONE;
    }

    /**
     * The live sandbox of a lease, taken over from an older owner; nothing when it can't be found
     * again.
     */
    default Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return Optional.empty();
    }

    /**
     * Ends what earlier openings of an owner have left, see {@link SandboxProvider#reap(String,
     * long, Set)}.
     */
    default int reap(String owner, long fence, Set<String> keep) {
        return 0;
    }

    /** The files that the agent left, sorted by path. */
    List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException;

    /**
     * The files that the agent left at the end of a step.
     *
     * @param step from 0
     */
    default List<SandboxFile> capture(Task task, int step, Sandbox sandbox)
            throws SandboxException {
        return capture(task, sandbox);
    }

    /**
     * Grades files in a fresh sandbox of the given lease, which is gone afterwards.
     *
     * @throws SandboxException when infrastructure failed; everything else is in the verdict
     */
    GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException;

    /** Kills the sandbox of a lease, if there is one. */
    void kill(Lease lease);

    @Override
    void close();
}
