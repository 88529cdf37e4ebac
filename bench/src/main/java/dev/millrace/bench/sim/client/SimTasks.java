package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tasks whose workspace and verifier are in the sandbox service; only their number matters. */
public final class SimTasks implements TaskEnvironment {
    private static final String WORKSPACE = "/workspace";
    private static final long MOST_BYTES = 1 << 20;

    /** Flag of a workspace that is not what each command, run once, leaves. */
    public static final String NOT_INTACT = "workspace_not_intact";

    private final SimSandboxProvider provider;

    /** Tasks in the provider's sandboxes; it is closed with them. */
    public SimTasks(SimSandboxProvider provider) {
        this.provider = provider;
    }

    /** A task of this kind. */
    public static String id(int task) {
        return "task-" + task;
    }

    @Override
    public String instruction(Task task) throws SandboxException {
        return SimRenderer.instruction(number(task));
    }

    @Override
    public Sandbox open(Task task, Lease lease) throws SandboxException {
        return provider.create(spec(lease));
    }

    @Override
    public SandboxCapabilities.Attach attachment() {
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
        return sandbox.getFiles(WORKSPACE, MOST_BYTES);
    }

    @Override
    public GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        try (SimSandbox sandbox = provider.create(spec(lease))) {
            sandbox.putFiles(WORKSPACE, workspace);
            JsonNode verdict = sandbox.grade(number(task));
            boolean intact = verdict.path("intact").asBoolean();
            return new GradingVerdict(
                    verdict.path("reward").asDouble(),
                    null,
                    intact ? List.of() : List.of(NOT_INTACT));
        }
    }

    @Override
    public void kill(Lease lease) {
        provider.kill(lease);
    }

    @Override
    public void close() {
        provider.close();
    }

    private static SandboxSpec spec(Lease lease) {
        return new SandboxSpec(lease, "", WORKSPACE, Map.of(), SandboxLimits.SMALL);
    }

    private static int number(Task task) throws SandboxException {
        try {
            return Integer.parseInt(task.taskId().substring(task.taskId().lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            throw new SandboxException(Kind.IMAGE, "there is no task " + task.taskId());
        }
    }
}
