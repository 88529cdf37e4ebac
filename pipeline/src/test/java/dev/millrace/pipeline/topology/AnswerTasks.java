package dev.millrace.pipeline.topology;

import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Task;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The tasks of {@link FakeTasks} in sandboxes of any kind: the files are carried into a fresh one,
 * a command runs there, and what then lies in {@code answer} is compared.
 *
 * @param provider makes the sandboxes
 * @param silent gradings whose verifier gives no verdict
 */
record AnswerTasks(SandboxProvider provider, BiPredicate<Task, Lease> silent)
        implements TaskEnvironment {
    private static final String FOLDER = "/workspace";
    private static final long MAX_BYTES = 1 << 20;

    @Override
    public String instruction(Task task) {
        return "task " + task.taskId();
    }

    @Override
    public Sandbox open(Task task, Lease lease) throws SandboxException {
        return provider.create(new SandboxSpec(lease, "", FOLDER, Map.of(), SandboxLimits.SMALL));
    }

    @Override
    public SandboxCapabilities.Attach attachment() throws SandboxException {
        return provider.probe().attach();
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return provider.attach(lease);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return provider.reap(owner, fence, keep);
    }

    @Override
    public List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException {
        return sandbox.getFiles(FOLDER, MAX_BYTES);
    }

    @Override
    public GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        List<SandboxFile> found;
        try (Sandbox sandbox = open(task, lease)) {
            sandbox.putFiles(FOLDER, workspace);
            sandbox.exec(new ExecRequest("verify", "true", "", Map.of(), 10_000, 1_000));
            found = sandbox.getFiles(FOLDER, MAX_BYTES);
        }
        if (silent.test(task, lease)) {
            Failure none = new Failure(FailureClass.VERIFIER, "reward_missing", "at random");
            return new GradingVerdict(null, none, List.of());
        }
        String right = Integer.toString(FakeTasks.answer(task));
        boolean solved = found.stream().anyMatch(file -> holds(file, right));
        return new GradingVerdict(solved ? 1.0 : 0.0, null, List.of());
    }

    private static boolean holds(SandboxFile file, String right) {
        return file.path().equals("answer")
                && new String(file.content(), StandardCharsets.UTF_8).equals(right);
    }

    @Override
    public void kill(Lease lease) {
        try {
            provider.attach(lease).ifPresent(Sandbox::close);
        } catch (SandboxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        provider.close();
    }
}
