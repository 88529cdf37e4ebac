package dev.millrace.backends.fake;

import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Fake tasks whose verifier gives no verdict where it is told to. */
public final class FaultyVerifier implements TaskEnvironment {
    /** Cause of what it doesn't say. */
    public static final String CAUSE = "reward_missing";

    private final FakeTasks tasks;
    private final Predicate<Lease> silent;

    /**
     * @param silent gradings that give no verdict
     */
    public FaultyVerifier(FakeTasks tasks, Predicate<Lease> silent) {
        this.tasks = tasks;
        this.silent = silent;
    }

    @Override
    public GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        GradingVerdict verdict = tasks.grade(task, workspace, lease);
        return silent.test(lease)
                ? new GradingVerdict(
                        null, new Failure(FailureClass.VERIFIER, CAUSE, "none"), List.of())
                : verdict;
    }

    @Override
    public String instruction(Task task) {
        return tasks.instruction(task);
    }

    @Override
    public Sandbox open(Task task, Lease lease) throws SandboxException {
        return tasks.open(task, lease);
    }

    @Override
    public SandboxCapabilities.Attach attachment() {
        return tasks.attachment();
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return tasks.attach(lease);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return tasks.reap(owner, fence, keep);
    }

    @Override
    public List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException {
        return tasks.capture(task, sandbox);
    }

    @Override
    public void kill(Lease lease) {
        tasks.kill(lease);
    }

    @Override
    public void close() {
        tasks.close();
    }
}
