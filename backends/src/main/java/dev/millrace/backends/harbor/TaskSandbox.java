package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.port.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fresh sandboxes with the environment of a task in them. */
public final class TaskSandbox {
    private static final int OUTPUT_BYTES = 4000;

    private final SandboxProvider provider;
    private final SharedEnvironments shared;

    /** Sandboxes come from the provider. */
    public TaskSandbox(SandboxProvider provider) {
        this.provider = provider;
        this.shared = new SharedEnvironments(provider);
    }

    /**
     * Creates a sandbox and carries out the task's plan in it, or takes what is there of a plan
     * that was carried out before. Repositories hold nothing that their current commit doesn't
     * reach, unless the task is about that.
     *
     * @throws SandboxException of kind IMAGE when a step of the plan fails; nothing is left behind
     */
    public Sandbox prepare(HarborTask task, Lease lease) throws SandboxException {
        String history = GitHistory.isSubject(task) ? "with history" : "trimmed";
        return open(task, lease, history, () -> trimmed(task, lease));
    }

    private Sandbox trimmed(HarborTask task, Lease lease) throws SandboxException {
        Sandbox sandbox = build(task, lease, true);
        try {
            GitHistory.trim(task, sandbox);
            return sandbox;
        } catch (SandboxException e) {
            sandbox.close();
            throw e;
        }
    }

    /** Without the files of the working folder when {@code workdirFiles} is false. */
    Sandbox prepare(HarborTask task, Lease lease, boolean workdirFiles) throws SandboxException {
        String variant = workdirFiles ? "as planned" : "without working folder";
        return open(task, lease, variant, () -> build(task, lease, workdirFiles));
    }

    private Sandbox open(
            HarborTask task, Lease lease, String variant, SharedEnvironments.Build build)
            throws SandboxException {
        EnvironmentPlan plan = task.environment();
        if (!plan.isCostly() || !(plan.hasImage() || provider.sharesTrees())) {
            return build.build();
        }
        String key = EnvironmentKey.of(plan, variant);
        SandboxSpec spec = spec(task, lease);
        return plan.hasImage()
                ? shared.openApart(key, spec, plan.buildTimeoutMillis(), build)
                : shared.open(key, spec, plan.buildTimeoutMillis(), build);
    }

    private static SandboxSpec spec(HarborTask task, Lease lease) {
        EnvironmentPlan plan = task.environment();
        return new SandboxSpec(
                lease,
                plan.image(),
                plan.workdir(),
                plan.environment(),
                task.limits(),
                plan.user(),
                false);
    }

    /** On an image what takes long is made with other rights, in a sandbox that then ends. */
    private static SandboxSpec buildSpec(HarborTask task, Lease lease) {
        EnvironmentPlan plan = task.environment();
        SandboxSpec spec = spec(task, lease);
        return plan.hasImage() && plan.isCostly() ? spec.forPreparation() : spec;
    }

    private Sandbox build(HarborTask task, Lease lease, boolean workdirFiles)
            throws SandboxException {
        EnvironmentPlan plan = task.environment();
        Sandbox sandbox = provider.create(buildSpec(task, lease));
        try {
            long deadline = System.nanoTime() + plan.buildTimeoutMillis() * 1_000_000;
            for (EnvironmentPlan.Step step : plan.steps()) {
                if (step.isCommand()) {
                    run(sandbox, step, deadline);
                } else {
                    put(sandbox, plan.workdir(), step.files(), workdirFiles);
                }
            }
            return sandbox;
        } catch (SandboxException e) {
            sandbox.close();
            throw e;
        }
    }

    private static void put(
            Sandbox sandbox, String workdir, List<SandboxFile> files, boolean workdirFiles)
            throws SandboxException {
        String prefix = workdir.substring(1) + "/";
        List<SandboxFile> inWorkdir = new ArrayList<>();
        List<SandboxFile> elsewhere = new ArrayList<>();
        for (SandboxFile file : files) {
            if (file.path().startsWith(prefix)) {
                String path = file.path().substring(prefix.length());
                inWorkdir.add(new SandboxFile(path, file.content(), file.executable()));
            } else {
                elsewhere.add(file);
            }
        }
        if (workdirFiles && !inWorkdir.isEmpty()) {
            sandbox.putFiles(workdir, inWorkdir);
        }
        if (!elsewhere.isEmpty()) {
            sandbox.putFiles("/", elsewhere);
        }
    }

    private static void run(Sandbox sandbox, EnvironmentPlan.Step step, long deadline)
            throws SandboxException {
        long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
        String inFolder = "mkdir -p \"$1\" && cd \"$1\" || exit 1\n";
        String command =
                "set -- '"
                        + step.workdir().replace("'", "'\\''")
                        + "'; "
                        + inFolder
                        + step.command();
        ExecResult result =
                sandbox.exec(
                        new ExecRequest(
                                TaskEnvironment.OWN + step.line(),
                                command,
                                "",
                                step.environment(),
                                left,
                                OUTPUT_BYTES));
        if (result.exitCode() != 0) {
            String what = result.timedOut() ? result.limitThatFired() : "exit " + result.exitCode();
            String output = new String(result.output(), StandardCharsets.UTF_8).strip();
            throw new SandboxException(
                    Kind.IMAGE,
                    "Dockerfile line " + step.line() + ", RUN failed (" + what + "): " + output);
        }
    }
}
