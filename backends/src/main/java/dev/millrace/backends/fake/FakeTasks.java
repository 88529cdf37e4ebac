package dev.millrace.backends.fake;

import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Task;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tasks without processes: the agent is right when it has written the task's number, modulo {@link
 * #ANSWERS}, into the file {@code answer}. Knows which leases are alive.
 */
public final class FakeTasks implements TaskEnvironment {
    /** Number of answers that there are. */
    public static final int ANSWERS = 2;

    private final Map<String, FakeSandbox> alive = new ConcurrentHashMap<>();

    /** The right answer to a task. */
    public static int answer(Task task) {
        return Math.floorMod(task.taskId().hashCode(), ANSWERS);
    }

    @Override
    public String instruction(Task task) {
        return "task " + task.taskId();
    }

    @Override
    public Sandbox open(Task task, String leaseName, String owner) {
        FakeSandbox sandbox = new FakeSandbox(leaseName, () -> alive.remove(leaseName));
        alive.put(leaseName, sandbox);
        return sandbox;
    }

    @Override
    public List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException {
        return sandbox.getFiles("/workspace", 1 << 20);
    }

    @Override
    public GradingVerdict grade(
            Task task, List<SandboxFile> workspace, String leaseName, String owner) {
        boolean right =
                workspace.stream()
                        .filter(f -> f.path().equals("answer"))
                        .anyMatch(
                                f ->
                                        new String(f.content(), StandardCharsets.UTF_8)
                                                .equals(Integer.toString(answer(task))));
        return new GradingVerdict(right ? 1.0 : 0.0, null, List.of());
    }

    /** Leases that were opened and not closed. */
    public List<String> alive() {
        return List.copyOf(alive.keySet());
    }

    @Override
    public void kill(String leaseName) {
        FakeSandbox sandbox = alive.get(leaseName);
        if (sandbox != null) {
            sandbox.close();
        }
    }

    @Override
    public void close() {
        List.copyOf(alive.values()).forEach(FakeSandbox::close);
    }
}
