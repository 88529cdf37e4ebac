package dev.millrace.backends.fake;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Task;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks without processes: the agent is right when it has written the task's number, modulo {@link
 * #ANSWERS}, into the file {@code answer}. Knows which leases are alive.
 */
public final class FakeTasks implements TaskEnvironment {
    private static final Logger LOG = LoggerFactory.getLogger(FakeTasks.class);

    /** Number of answers that there are. */
    public static final int ANSWERS = 2;

    private final FakeProvider provider;

    /** Without faults; sandboxes can't be found again. */
    public FakeTasks() {
        this(new FakeProvider(SandboxCapabilities.Attach.NONE, FakeFaults.NONE));
    }

    /** With sandboxes of that provider. */
    public FakeTasks(FakeProvider provider) {
        this.provider = provider;
    }

    /** The right answer to a task. */
    public static int answer(Task task) {
        return Math.floorMod(task.taskId().hashCode(), ANSWERS);
    }

    @Override
    public String instruction(Task task) {
        return "task " + task.taskId();
    }

    @Override
    public Sandbox open(Task task, Lease lease) throws SandboxException {
        return provider.create(
                new SandboxSpec(lease, "", "/workspace", Map.of(), SandboxLimits.SMALL));
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
        return sandbox.getFiles("/workspace", 1 << 20);
    }

    @Override
    public GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        try (Sandbox sandbox = open(task, lease)) {
            sandbox.exec(new ExecRequest("verify", "verify", "", Map.of(), 1_000, 1_000));
        }
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
        return provider.alive();
    }

    @Override
    public void kill(Lease lease) {
        try {
            provider.attach(lease).ifPresent(Sandbox::close);
        } catch (SandboxException fenced) {
            LOG.debug("Not killed, it has a newer owner lease={}", lease.name());
        }
    }

    /** Sandboxes that can be found from anywhere stay. */
    @Override
    public void close() {
        if (attachment() != SandboxCapabilities.Attach.ANYWHERE) {
            provider.close();
        }
    }
}
