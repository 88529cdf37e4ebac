package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the artifacts of an attempt into the sandbox that it is graded in, each at its own absolute
 * path. What is the tests' or the system's is left alone, and a folder that is carried takes the
 * place of what is there.
 */
final class CarriedArtifacts {
    private static final long CLEAR_MILLIS = 30_000;
    private static final int OUTPUT_BYTES = 2000;
    private static final List<String> CLOSED =
            List.of(
                    "/tests",
                    "/solution",
                    "/logs/verifier",
                    "/usr",
                    "/bin",
                    "/sbin",
                    "/lib",
                    "/lib32",
                    "/lib64",
                    "/proc",
                    "/dev",
                    "/sys",
                    "/etc");

    private CarriedArtifacts() {}

    /** Whether nothing is carried to a path. */
    static boolean isClosed(String path) {
        return CLOSED.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
    }

    /**
     * Puts them there.
     *
     * @param captured what was kept of the attempt
     * @param workdir of the sandbox
     * @param flags gets what was not carried because it would be obeyed unasked
     */
    static void put(
            HarborTask task,
            List<SandboxFile> captured,
            Sandbox sandbox,
            String workdir,
            List<String> flags)
            throws SandboxException {
        Map<String, SandboxFile> files = CapturedFiles.elsewhere(task, captured);
        files.keySet().removeIf(CarriedArtifacts::isClosed);
        List<SandboxFile> placed = new ArrayList<>();
        for (Artifact artifact : task.artifacts()) {
            Map<String, SandboxFile> own = new TreeMap<>(files);
            own.keySet().removeIf(path -> !artifact.covers(path));
            files.keySet().removeAll(own.keySet());
            if (own.containsKey(artifact.source())) {
                placed.add(at(artifact.source(), own.get(artifact.source())));
            } else if (!own.isEmpty()) {
                clear(artifact.source(), workdir, sandbox);
                placed.addAll(folder(task, artifact.source() + "/", own, flags));
            }
        }
        if (!placed.isEmpty()) {
            sandbox.putFiles("/", placed);
        }
    }

    private static void clear(String folder, String workdir, Sandbox sandbox)
            throws SandboxException {
        if ((workdir + "/").startsWith(folder + "/") && !workdir.equals(folder)) {
            // The working folder's own files are there already.
            return;
        }
        ExecResult result =
                sandbox.exec(
                        new ExecRequest(
                                "verify-artifact",
                                "[ ! -d \"$FOLDER\" ] || find \"$FOLDER\" -mindepth 1 -delete",
                                "/",
                                Map.of("FOLDER", folder),
                                CLEAR_MILLIS,
                                OUTPUT_BYTES));
        if (result.exitCode() != 0) {
            String output = new String(result.output(), StandardCharsets.UTF_8);
            throw new SandboxException(
                    SandboxException.Kind.IMAGE, folder + " can't be cleared: " + output);
        }
    }

    /** Files that are obeyed unasked are not the agent's here either. */
    private static List<SandboxFile> folder(
            HarborTask task, String prefix, Map<String, SandboxFile> own, List<String> flags) {
        List<SandboxFile> base =
                task.environment().steps().stream()
                        .flatMap(step -> step.files().stream())
                        .filter(file -> ("/" + file.path()).startsWith(prefix))
                        .map(file -> below(prefix, "/" + file.path(), file))
                        .toList();
        List<SandboxFile> files = new ArrayList<>();
        own.forEach((path, file) -> files.add(below(prefix, path, file)));
        RunnerFiles.Restored restored = RunnerFiles.restore(task, base, files);
        flags.addAll(restored.flags());
        return restored.files().stream().map(file -> at(prefix + file.path(), file)).toList();
    }

    private static SandboxFile below(String prefix, String path, SandboxFile file) {
        return new SandboxFile(path.substring(prefix.length()), file.content(), file.executable());
    }

    private static SandboxFile at(String path, SandboxFile file) {
        return new SandboxFile(path.substring(1), file.content(), file.executable());
    }
}
