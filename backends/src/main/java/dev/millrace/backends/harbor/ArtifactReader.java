package dev.millrace.backends.harbor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads which files beside the working folder belong to an attempt's result. */
final class ArtifactReader {
    private static final Pattern UP = Pattern.compile("(^|/)\\.\\.(/|$)");
    private static final String MANIFEST = "manifest.json";

    private ArtifactReader() {}

    /** In order of their claims; the usual folder is first, unless it is named. */
    static List<Artifact> read(TaskToml toml, String key) {
        List<Artifact> found = new ArrayList<>();
        for (TaskToml entry : toml.items(key)) {
            if (entry.isText()) {
                found.add(new Artifact(source(entry, ""), "", List.of()));
            } else if (entry.isTable()) {
                MainService.require(entry);
                found.add(
                        new Artifact(source(entry, "source"), destination(entry), excluded(entry)));
            } else {
                entry.problem("", "is neither a path nor a table", "write an absolute path");
            }
        }
        if (found.stream().noneMatch(each -> each.source().equals(Artifact.USUAL))) {
            found.add(0, new Artifact(Artifact.USUAL, "", List.of()));
        }
        return List.copyOf(found);
    }

    private static String source(TaskToml entry, String key) {
        String source = entry.text(key).orElse("").replaceFirst("/+$", "");
        if (!source.startsWith("/") || UP.matcher(source).find()) {
            String message = "'" + source + "' is no absolute path below the root without '..'";
            entry.problem(key, message, "name a file or a folder");
        }
        return source;
    }

    private static List<String> excluded(TaskToml entry) {
        List<String> patterns = entry.texts("exclude");
        for (String pattern : patterns) {
            if (!Artifact.isPattern(pattern)) {
                entry.problem("exclude", "'" + pattern + "' is no pattern", "correct its [...]");
                return List.of();
            }
        }
        return patterns;
    }

    private static String destination(TaskToml entry) {
        String path = entry.text("destination").orElse("").replaceFirst("/+$", "");
        boolean absolute = path.startsWith("/") || path.contains("\\");
        if (absolute || UP.matcher(path).find() || path.equals(MANIFEST)) {
            String message = "'" + path + "' is no relative path with forward slashes without '..'";
            entry.problem("destination", message, "name another place than " + MANIFEST);
        }
        return path;
    }
}
