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

    /** What a sandbox is to be, and whom for. */
    private record Wanted(EnvironmentSpec environment, String user, Lease lease) {
        EnvironmentPlan plan() {
            return environment.plan();
        }

        SandboxSpec spec() {
            return new SandboxSpec(
                    lease,
                    plan().image(),
                    plan().workdir(),
                    plan().environment(),
                    environment.limits(),
                    user.isEmpty() ? plan().user() : user,
                    false);
        }
    }

    /**
     * Whether a plan's environment is made with other rights than the agent's, in a sandbox that
     * only lasts until its file tree is kept. Where trees can't be kept, it is made where it is
     * used.
     */
    private boolean madeApart(EnvironmentPlan plan) throws SandboxException {
        return plan.hasImage() && plan.isCostly() && provider.sharesTrees();
    }

    /**
     * Creates a sandbox and carries out the task's plan in it, or takes what is there of a plan
     * that was carried out before. Repositories hold nothing that their current commit doesn't
     * reach, unless the task is about that.
     *
     * @throws SandboxException of kind IMAGE when a step of the plan fails or the environment
     *     doesn't get fit for use; of kind UNSUPPORTED when the provider doesn't serve the users
     *     that the task names. Nothing is left behind
     */
    public Sandbox prepare(HarborTask task, Lease lease) throws SandboxException {
        requireUsers(task);
        Wanted wanted = new Wanted(own(task), task.agentUser(), lease);
        String history = GitHistory.isSubject(task) ? "with history" : "trimmed";
        Sandbox sandbox = open(wanted, history, () -> trimmed(task, wanted));
        return task.hasSteps() ? begun(task, sandbox) : sandbox;
    }

    private static Sandbox begun(HarborTask task, Sandbox sandbox) throws SandboxException {
        try {
            task.stepPlan().steps().get(0).setup().run(sandbox, task.workdir());
            return sandbox;
        } catch (SandboxException e) {
            sandbox.close();
            throw e;
        }
    }

    private Sandbox trimmed(HarborTask task, Wanted wanted) throws SandboxException {
        Sandbox sandbox = build(wanted, true);
        try {
            GitHistory.trim(task, sandbox);
            return sandbox;
        } catch (SandboxException e) {
            sandbox.close();
            throw e;
        }
    }

    /**
     * For the tests, in the agent's environment; without the files of the working folder when
     * {@code workdirFiles} is false.
     */
    Sandbox prepareTests(HarborTask task, Lease lease, boolean workdirFiles)
            throws SandboxException {
        requireUsers(task);
        Wanted wanted = new Wanted(own(task), task.verifier().user(), lease);
        String variant = workdirFiles ? "as planned" : "without working folder";
        return open(wanted, variant, () -> build(wanted, workdirFiles));
    }

    /** For tests that have an environment of their own. */
    Sandbox prepareSeparate(HarborTask task, EnvironmentSpec environment, Lease lease)
            throws SandboxException {
        requireUsers(task);
        Wanted wanted = new Wanted(environment, task.verifier().user(), lease);
        return open(wanted, "as planned", () -> build(wanted, true));
    }

    private static EnvironmentSpec own(HarborTask task) {
        return new EnvironmentSpec(task.environment(), task.limits(), task.healthcheck());
    }

    private void requireUsers(HarborTask task) throws SandboxException {
        requireUser("agent.user", task.agentUser());
        requireUser("verifier.user", task.verifier().user());
    }

    private void requireUser(String key, String user) throws SandboxException {
        if (!provider.servesUser(user)) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    key
                            + " '"
                            + user
                            + "' is unsupported: "
                            + provider.name()
                            + " can't run commands as that user; remove it, or name another");
        }
    }

    private Sandbox open(Wanted wanted, String variant, SharedEnvironments.Build build)
            throws SandboxException {
        EnvironmentPlan plan = wanted.plan();
        long deadline = System.nanoTime() + plan.buildTimeoutMillis() * 1_000_000;
        Sandbox sandbox;
        if (plan.isCostly() && provider.sharesTrees()) {
            sandbox = openShared(wanted, variant, build);
        } else {
            sandbox = build.build();
        }
        try {
            if (wanted.environment().healthcheck().isPresent()) {
                wanted.environment().healthcheck().get().await(sandbox, deadline);
            }
            return sandbox;
        } catch (SandboxException e) {
            sandbox.close();
            throw e;
        }
    }

    private Sandbox openShared(Wanted wanted, String variant, SharedEnvironments.Build build)
            throws SandboxException {
        EnvironmentPlan plan = wanted.plan();
        String as = wanted.user().isEmpty() ? variant : variant + " as " + wanted.user();
        String key = EnvironmentKey.of(plan, as);
        return madeApart(plan)
                ? shared.openApart(key, wanted.spec(), plan.buildTimeoutMillis(), build)
                : shared.open(key, wanted.spec(), plan.buildTimeoutMillis(), build);
    }

    private Sandbox build(Wanted wanted, boolean workdirFiles) throws SandboxException {
        EnvironmentPlan plan = wanted.plan();
        SandboxSpec spec = madeApart(plan) ? wanted.spec().forPreparation() : wanted.spec();
        Sandbox sandbox = provider.create(spec);
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
