package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The files that a Dockerfile may copy.
 *
 * @param files with paths relative to {@code environment/}
 */
record ContextFiles(List<SandboxFile> files) {

    /** The paths that a source names: itself, or all that a pattern fits. */
    List<String> named(String source) {
        String path = Path.of("/").relativize(Path.of("/", source).normalize()).toString();
        if (!isPattern(source)) {
            return List.of(path);
        }
        PathMatcher matcher =
                FileSystems.getDefault()
                        .getPathMatcher("glob:" + path.replace("{", "\\{").replace("}", "\\}"));
        Set<String> fitting = new LinkedHashSet<>();
        for (SandboxFile file : files) {
            for (Path at = Path.of(file.path()); at != null; at = at.getParent()) {
                if (matcher.matches(at)) {
                    fitting.add(at.toString());
                }
            }
        }
        return List.copyOf(fitting);
    }

    static boolean isPattern(String source) {
        return source.contains("*") || source.contains("?") || source.contains("[");
    }

    /** The file of that path. */
    Optional<SandboxFile> file(String path) {
        return files.stream().filter(one -> one.path().equals(path)).findFirst();
    }

    /** What lies below a folder, with paths relative to it. */
    List<SandboxFile> below(String folder) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        List<SandboxFile> found = new ArrayList<>();
        for (SandboxFile one : files) {
            if (one.path().startsWith(prefix)) {
                String path = one.path().substring(prefix.length());
                found.add(new SandboxFile(path, one.content(), one.executable()));
            }
        }
        return found;
    }
}
