package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The artifacts of an attempt as they are laid out beside its result. The first that claims a place
 * has it; one that would come to lie in the same place, or above or below it, is skipped.
 *
 * @param files by their paths below the folder of artifacts
 * @param manifest what became of each artifact, in order
 */
public record CollectedArtifacts(List<SandboxFile> files, List<Entry> manifest) {
    /** Folder of artifacts beside a result, which destinations begin with. */
    private static final String FOLDER = "artifacts/";

    /**
     * What became of one artifact.
     *
     * @param source absolute path in the sandbox
     * @param destination where it is kept
     * @param type {@code file} or {@code directory}
     * @param status {@code ok}, {@code empty}, {@code failed} when it is not there, or {@code
     *     skipped}
     * @param service of the environment; null for the only one there is
     */
    public record Entry(
            String source, String destination, String type, String status, String service) {}

    /** Of what was captured of an attempt. */
    public static CollectedArtifacts of(HarborTask task, List<SandboxFile> captured) {
        Map<String, SandboxFile> all = CapturedFiles.elsewhere(task, captured);
        for (SandboxFile file : CapturedFiles.workspace(captured)) {
            all.put(task.workdir() + "/" + file.path(), file);
        }
        List<SandboxFile> files = new ArrayList<>();
        List<Entry> manifest = new ArrayList<>();
        List<Artifact> claims = new ArrayList<>();
        for (Artifact artifact : task.artifacts()) {
            if (claims.stream().anyMatch(earlier -> collide(earlier, artifact))) {
                manifest.add(entry(artifact, all.containsKey(artifact.source()), "skipped"));
                continue;
            }
            claims.add(artifact);
            Map<String, SandboxFile> own = new TreeMap<>(all);
            own.keySet().removeIf(path -> !artifact.covers(path));
            boolean single = own.containsKey(artifact.source());
            own.forEach(
                    (path, file) ->
                            files.add(kept(artifact, single ? "" : below(artifact, path), file)));
            String nothing = artifact.source().equals(Artifact.USUAL) ? "empty" : "failed";
            manifest.add(entry(artifact, single, own.isEmpty() ? nothing : "ok"));
        }
        return new CollectedArtifacts(List.copyOf(files), List.copyOf(manifest));
    }

    private static boolean collide(Artifact earlier, Artifact later) {
        String first = earlier.target() + "/";
        String second = later.target() + "/";
        return !earlier.source().equals(later.source())
                && (first.startsWith(second) || second.startsWith(first));
    }

    private static String below(Artifact artifact, String path) {
        return path.substring(artifact.source().length());
    }

    private static SandboxFile kept(Artifact artifact, String below, SandboxFile file) {
        return new SandboxFile(artifact.target() + below, file.content(), file.executable());
    }

    private static Entry entry(Artifact artifact, boolean file, String status) {
        String type = file ? "file" : "directory";
        return new Entry(artifact.source(), FOLDER + artifact.target(), type, status, null);
    }
}
