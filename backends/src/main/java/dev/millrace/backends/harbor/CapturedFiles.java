package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.TaskEnvironment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of an attempt: the regular files of the working folder, by their paths in it, and
 * those of the task's artifacts elsewhere, by their absolute paths below {@link #ELSEWHERE}. Of a
 * task whose tests have an environment of their own only the artifacts are kept, all by their
 * absolute paths.
 */
final class CapturedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(CapturedFiles.class);

    /** An agent that makes such a folder itself can put there what it could make an artifact. */
    private static final String ELSEWHERE = ".artifacts/";

    private static final String STAGE = "/tmp/.artifact";
    private static final long STAGE_MILLIS = 30_000;

    /** For all commands together, which the agent may have made slow. */
    private static final long MOST_COLLECT_MILLIS = 30_000;

    private static final int OUTPUT_BYTES = 2000;

    private final HarborTask task;
    private final Sandbox sandbox;
    private long left;

    private CapturedFiles(HarborTask task, Sandbox sandbox, long mostBytes) {
        this.task = task;
        this.sandbox = sandbox;
        this.left = mostBytes;
    }

    /**
     * To be called when the agent has ended. Collects evidence first.
     *
     * @param mostBytes of content; above it, kind QUOTA
     */
    static List<SandboxFile> of(HarborTask task, Sandbox sandbox, long mostBytes)
            throws SandboxException {
        return new CapturedFiles(task, sandbox, mostBytes).take();
    }

    /** Those of the working folder, by their paths in it. */
    static List<SandboxFile> workspace(List<SandboxFile> captured) {
        return captured.stream().filter(file -> !file.path().startsWith(ELSEWHERE)).toList();
    }

    /** Those elsewhere that are the task's artifacts, by their absolute paths. */
    static Map<String, SandboxFile> elsewhere(HarborTask task, List<SandboxFile> captured) {
        Map<String, SandboxFile> found = new TreeMap<>();
        for (SandboxFile file : captured) {
            if (file.path().startsWith(ELSEWHERE)) {
                String path = file.path().substring(ELSEWHERE.length() - 1);
                if (task.artifacts().stream().anyMatch(artifact -> artifact.covers(path))) {
                    found.put(path, file);
                }
            }
        }
        return found;
    }

    private List<SandboxFile> take() throws SandboxException {
        collect();
        List<SandboxFile> found = new ArrayList<>();
        boolean all = task.verifier().separate().isPresent();
        if (!all) {
            found.addAll(counted(sandbox.getFiles(task.workdir(), left)));
        }
        Map<String, SandboxFile> artifacts = new TreeMap<>();
        for (Artifact artifact : task.artifacts()) {
            if (all || !isInWorkdir(artifact.source())) {
                read(artifact, artifacts, all);
            }
        }
        artifacts.forEach(
                (path, file) -> {
                    String kept = ELSEWHERE + path.substring(1);
                    found.add(new SandboxFile(kept, file.content(), file.executable()));
                });
        found.sort(Comparator.comparing(SandboxFile::path));
        return List.copyOf(found);
    }

    /** What comes of it is looked at by the tests, or by nobody. */
    private void collect() throws SandboxException {
        long deadline = System.nanoTime() + MOST_COLLECT_MILLIS * 1_000_000;
        int number = 0;
        for (CollectCommand each : task.verifier().collect()) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            String id = "collect-" + number++;
            if (millis > 0) {
                int code =
                        exec(id, each.command(), Map.of(), Math.min(millis, each.timeoutMillis()));
                LOG.debug("Evidence collected lease={} exit={}", sandbox.leaseName(), code);
            }
        }
    }

    /** Its exit code; an agent that has ended its sandbox keeps what can be read without one. */
    private int exec(String id, String command, Map<String, String> variables, long millis)
            throws SandboxException {
        try {
            return sandbox.exec(
                            new ExecRequest(
                                    TaskEnvironment.OWN + id,
                                    command,
                                    "",
                                    variables,
                                    millis,
                                    OUTPUT_BYTES))
                    .exitCode();
        } catch (SandboxException e) {
            if (e.policyCaused()) {
                return -1;
            }
            throw e;
        }
    }

    private void read(Artifact artifact, Map<String, SandboxFile> into, boolean all)
            throws SandboxException {
        List<SandboxFile> below = sandbox.getFiles(artifact.source(), left);
        String prefix = artifact.source() + "/";
        if (below.isEmpty() && !artifact.source().equals(Artifact.USUAL)) {
            below = single(artifact.source());
            prefix = artifact.source().substring(0, artifact.source().lastIndexOf('/') + 1);
        }
        for (SandboxFile file : counted(below)) {
            String path = prefix + file.path();
            if (artifact.covers(path) && (all || !isInWorkdir(path))) {
                into.putIfAbsent(path, file);
            }
        }
    }

    /** A source that is a file, under its own name; nothing when it is none. */
    private List<SandboxFile> single(String source) throws SandboxException {
        String script =
                "rm -rf \"$STAGE\"; [ -f \"$SOURCE\" ] && [ ! -L \"$SOURCE\" ] && mkdir -p"
                        + " \"$STAGE\" && cp -p -- \"$SOURCE\" \"$STAGE/\"";
        Map<String, String> names = Map.of("STAGE", STAGE, "SOURCE", source);
        int code = exec("artifact", script, names, STAGE_MILLIS);
        return code == 0 ? sandbox.getFiles(STAGE, left) : List.of();
    }

    private List<SandboxFile> counted(List<SandboxFile> files) {
        for (SandboxFile file : files) {
            left -= file.content().length;
        }
        return files;
    }

    private boolean isInWorkdir(String path) {
        return path.equals(task.workdir()) || path.startsWith(task.workdir() + "/");
    }
}
