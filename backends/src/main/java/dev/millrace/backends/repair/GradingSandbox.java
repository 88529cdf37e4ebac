package dev.millrace.backends.repair;

import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.dataset.DiffPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps of one grading, in the sandbox that it uses up. Git keeps the repository as it was
 * outside of the working folder, so that nothing a repair writes is read as git's own.
 */
final class GradingSandbox {
    private static final String FOLDER = "/grading";
    private static final long STEP_MILLIS = 120_000;
    private static final int STEP_BYTES = 4_000;
    private static final int LOG_BYTES = 32 << 20;
    private static final int UNFIT = 3;
    private static final int IN_THE_WAY = 4;
    private static final Map<String, String> GIT =
            Map.of(
                    "GIT_DIR", FOLDER + "/base.git",
                    "GIT_CONFIG_NOSYSTEM", "1",
                    "GIT_CONFIG_GLOBAL", "/dev/null",
                    "GIT_TERMINAL_PROMPT", "0",
                    "GIT_AUTHOR_NAME", "base",
                    "GIT_AUTHOR_EMAIL", "base@localhost",
                    "GIT_COMMITTER_NAME", "base",
                    "GIT_COMMITTER_EMAIL", "base@localhost");

    /** What became of the tests' files. */
    enum Placement {
        /** They are there. */
        PLACED,
        /** The test patch doesn't fit the repository. */
        UNFIT,
        /** The test patch fits the repository, but not with the repair. */
        IN_THE_WAY
    }

    private final Sandbox sandbox;
    private final HarborTask task;
    private final RepairSpec spec;
    private final Map<String, String> environment = new HashMap<>(GIT);

    GradingSandbox(Sandbox sandbox, HarborTask task, RepairSpec spec) {
        this.sandbox = sandbox;
        this.task = task;
        this.spec = spec;
        environment.put("GIT_WORK_TREE", task.workdir());
    }

    /** Remembers the repository as it is now. */
    void keepBase() throws SandboxException {
        List<SandboxFile> files = new ArrayList<>();
        for (String script : List.of("base.sh", "repair.sh", "tests.sh")) {
            files.add(new SandboxFile(script, script(script), true));
        }
        files.add(new SandboxFile("test.patch", spec.testPatch(), false));
        files.add(new SandboxFile("restored", joined(spec.testPaths()), false));
        String solution = new String(spec.solution(), StandardCharsets.UTF_8);
        files.add(new SandboxFile("kept", joined(DiffPaths.oldAndNew(solution)), false));
        sandbox.putFiles(FOLDER, files);
        ExecResult result = step("base");
        if (result.exitCode() != 0) {
            throw failed("the repository can't be kept", result);
        }
    }

    /** Applies a diff exactly; whether that could be done. */
    boolean applyRepair(byte[] patch) throws SandboxException {
        sandbox.putFiles(FOLDER, List.of(new SandboxFile("repair.patch", ended(patch), false)));
        return step("repair").exitCode() == 0;
    }

    /** Puts files in the place of all that there are. */
    void replaceFiles(List<SandboxFile> files) throws SandboxException {
        ExecResult result =
                exec("clear", "find . -mindepth 1 -delete", environment, STEP_MILLIS, STEP_BYTES);
        if (result.exitCode() != 0) {
            throw failed("the working folder can't be cleared", result);
        }
        List<SandboxFile> own =
                files.stream().filter(file -> !file.path().startsWith(".git/")).toList();
        if (!own.isEmpty()) {
            sandbox.putFiles(task.workdir(), own);
        }
    }

    /** Brings the tests' files, and what decides how tests run, into the state they should have. */
    Placement placeTests() throws SandboxException {
        ExecResult result = step("tests");
        return switch (result.exitCode()) {
            case 0 -> Placement.PLACED;
            case UNFIT -> Placement.UNFIT;
            case IN_THE_WAY -> Placement.IN_THE_WAY;
            default -> throw failed("the tests can't be put in place", result);
        };
    }

    /** Runs the tests. All their output is the log: nothing of the steps before is in it. */
    ExecResult runTests(long timeoutMillis) throws SandboxException {
        String activation = new String(script("environment.sh"), StandardCharsets.UTF_8);
        byte[] command = (activation + spec.testCommand() + "\n").getBytes(StandardCharsets.UTF_8);
        sandbox.putFiles(FOLDER, List.of(new SandboxFile("run.sh", command, true)));
        Map<String, String> variables = new HashMap<>(task.verifierEnvironment());
        variables.putIfAbsent("PYTHONDONTWRITEBYTECODE", "1");
        String run = "bash --noprofile --norc " + FOLDER + "/run.sh";
        return exec("tests-run", run, variables, timeoutMillis, LOG_BYTES);
    }

    private ExecResult step(String name) throws SandboxException {
        String command = "bash --noprofile --norc " + FOLDER + "/" + name + ".sh";
        return exec(name, command, environment, STEP_MILLIS, STEP_BYTES);
    }

    private ExecResult exec(
            String id, String command, Map<String, String> variables, long millis, int bytes)
            throws SandboxException {
        return sandbox.exec(
                new ExecRequest("verify-" + id, command, task.workdir(), variables, millis, bytes));
    }

    private static SandboxException failed(String what, ExecResult result) {
        String how = result.timedOut() ? result.limitThatFired() : "exit " + result.exitCode();
        String output = new String(result.output(), StandardCharsets.UTF_8).strip();
        return new SandboxException(
                SandboxException.Kind.IMAGE, what + " (" + how + "): " + output);
    }

    private static byte[] joined(List<String> paths) {
        StringBuilder text = new StringBuilder();
        paths.forEach(path -> text.append(path).append('\0'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Git takes a diff without a line end behind it for a damaged one. */
    private static byte[] ended(byte[] patch) {
        if (patch[patch.length - 1] == '\n') {
            return patch;
        }
        byte[] ended = java.util.Arrays.copyOf(patch, patch.length + 1);
        ended[patch.length] = '\n';
        return ended;
    }

    private static byte[] script(String name) {
        try (InputStream in = GradingSandbox.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
