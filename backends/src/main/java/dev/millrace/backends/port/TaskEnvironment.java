package dev.millrace.backends.port;

import dev.millrace.udfs.model.Task;
import java.util.List;

/**
 * What a task is made of: its statement, its workspace and its verifier. May block. Thread-safe.
 */
public interface TaskEnvironment extends AutoCloseable {

    /**
     * What the policy reads.
     *
     * @throws SandboxException of kind IMAGE when the task can't be read
     */
    String instruction(Task task) throws SandboxException;

    /** Creates a sandbox with the task's workspace in it, as the agent finds it. */
    Sandbox open(Task task, String leaseName, String owner) throws SandboxException;

    /** The files that the agent left, sorted by path. */
    List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException;

    /**
     * Grades files in a fresh sandbox of the given lease, which is gone afterwards.
     *
     * @throws SandboxException when infrastructure failed; everything else is in the verdict
     */
    GradingVerdict grade(Task task, List<SandboxFile> workspace, String leaseName, String owner)
            throws SandboxException;

    /** Kills the sandbox of a lease, if there is one. */
    void kill(String leaseName);

    @Override
    void close();
}
