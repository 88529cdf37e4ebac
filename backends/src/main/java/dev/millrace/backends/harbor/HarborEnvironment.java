package dev.millrace.backends.harbor;

import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Harbor tasks in folders, played and graded in sandboxes of one provider. */
public final class HarborEnvironment implements TaskEnvironment {
    private static final Logger LOG = LoggerFactory.getLogger(HarborEnvironment.class);
    private static final int KEPT_TASKS = 2_000;

    private final SandboxProvider provider;
    private final HarborTaskLoader loader;
    private final TaskFolders folders;
    private final long mostVerifierMillis;
    private final TaskSandbox sandboxes;
    private final Grader grader;
    private final Map<String, HarborTask> tasks =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, HarborTask> eldest) {
                    return size() > KEPT_TASKS;
                }
            };

    /** Judges the files of an attempt in a sandbox of the given lease. */
    public interface Grader {
        /** What it is worth. */
        Verdict grade(HarborTask task, List<SandboxFile> workspace, Lease lease);
    }

    /**
     * @param provider closed with the environment
     * @param loader reads tasks
     * @param folders where a task's files are
     * @param mostVerifierMillis no test script runs longer, whatever its task allows
     * @param grader judges attempts
     */
    public HarborEnvironment(
            SandboxProvider provider,
            HarborTaskLoader loader,
            TaskFolders folders,
            long mostVerifierMillis,
            Grader grader) {
        this.provider = provider;
        this.loader = loader;
        this.folders = folders;
        this.mostVerifierMillis = mostVerifierMillis;
        this.sandboxes = new TaskSandbox(provider);
        this.grader = grader;
    }

    @Override
    public String instruction(Task task) throws SandboxException {
        HarborTask read = read(task);
        return read.hasSteps() ? read.stepPlan().steps().get(0).instruction() : read.instruction();
    }

    @Override
    public int steps(Task task) throws SandboxException {
        return Math.max(1, read(task).stepPlan().steps().size());
    }

    @Override
    public Optional<String> advance(Task task, int step, Sandbox sandbox) throws SandboxException {
        HarborTask read = read(task);
        TaskStep next = read.stepPlan().steps().get(step);
        try {
            next.setup().run(sandbox, read.workdir());
            return Optional.of(next.instruction());
        } catch (SandboxException e) {
            if (e.kind() == SandboxException.Kind.IMAGE) {
                LOG.info("A step can't begin lease={}: {}", sandbox.leaseName(), e.getMessage());
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public boolean mayGoOn(Task task, int step, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        TaskStep ended = read(task).stepPlan().steps().get(step);
        if (ended.minimum().isEmpty()) {
            return true;
        }
        Verdict verdict = grader.grade(ended.graded(), workspace, lease);
        if (verdict.failureClass() == FailureClass.INFRA) {
            throw new SandboxException(
                    SandboxException.Kind.UNREACHABLE,
                    "step " + ended.name() + " could not be judged: " + verdict.cause());
        }
        return ended.isPassed(verdict);
    }

    @Override
    public List<SandboxFile> join(Task task, List<List<SandboxFile>> steps)
            throws SandboxException {
        return read(task).hasSteps() ? StepFiles.join(steps) : steps.get(0);
    }

    @Override
    public Sandbox open(Task task, Lease lease) throws SandboxException {
        return sandboxes.prepare(read(task), lease);
    }

    @Override
    public SandboxCapabilities.Attach attachment() throws SandboxException {
        return provider.probe().attach();
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return attachment() == SandboxCapabilities.Attach.NONE
                ? Optional.empty()
                : provider.attach(lease);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return provider.reap(owner, fence, keep);
    }

    @Override
    public List<SandboxFile> capture(Task task, Sandbox sandbox) throws SandboxException {
        return HarborVerifier.capture(read(task), sandbox);
    }

    @Override
    public List<SandboxFile> capture(Task task, int step, Sandbox sandbox) throws SandboxException {
        HarborTask read = read(task);
        HarborTask ended = read.hasSteps() ? read.stepPlan().steps().get(step).graded() : read;
        return HarborVerifier.capture(ended, sandbox);
    }

    @Override
    public GradingVerdict grade(Task task, List<SandboxFile> workspace, Lease lease)
            throws SandboxException {
        Verdict verdict = grader.grade(read(task), workspace, lease);
        Failure failure =
                verdict.graded()
                        ? null
                        : new Failure(
                                verdict.failureClass(),
                                verdict.cause(),
                                "the test script ended with exit code " + verdict.exitCode());
        return new GradingVerdict(verdict.reward(), failure, verdict.flags());
    }

    @Override
    public void kill(Lease lease) {
        try {
            provider.attach(lease).ifPresent(Sandbox::close);
        } catch (SandboxException fenced) {
            LOG.debug("Not killed, it has a newer owner lease={}", lease.name());
        }
    }

    @Override
    public void close() {
        provider.close();
    }

    private HarborTask read(Task task) throws SandboxException {
        synchronized (tasks) {
            HarborTask known = tasks.get(task.uri());
            if (known != null) {
                return known;
            }
        }
        try {
            HarborTask loaded =
                    loader.load(folders.of(URI.create(task.uri())))
                            .withVerifierTimeout(mostVerifierMillis);
            synchronized (tasks) {
                tasks.put(task.uri(), loaded);
            }
            return loaded;
        } catch (HarborTaskException e) {
            throw new SandboxException(SandboxException.Kind.IMAGE, false, e.getMessage(), e);
        } catch (IOException e) {
            throw new SandboxException(
                    SandboxException.Kind.IMAGE, true, task.uri() + " can't be read: " + e, e);
        }
    }
}
