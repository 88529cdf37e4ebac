package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files of a task's folder. */
final class TaskFiles {
    private static final long MOST_BYTES = 64L << 20;

    private TaskFiles() {}

    /** All regular files below a folder, sorted; none when it is not there. */
    static List<SandboxFile> read(Path folder, List<HarborProblem> problems) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<SandboxFile> files = new ArrayList<>();
        long bytes = 0;
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted().toList()) {
                if (Files.isSymbolicLink(path)) {
                    String message = "a symbolic link is unsupported";
                    problems.add(problem(path, message, "put a copy of the file there"));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    bytes += Files.size(path);
                    if (bytes > MOST_BYTES) {
                        String message = "more than " + MOST_BYTES + " bytes of files";
                        problems.add(problem(folder, message, "make the task smaller"));
                        return List.of();
                    }
                    String name = folder.relativize(path).toString();
                    files.add(
                            new SandboxFile(
                                    name, Files.readAllBytes(path), Files.isExecutable(path)));
                }
            }
        } catch (IOException e) {
            problems.add(problem(folder, "unreadable: " + e.getMessage(), "make it readable"));
        }
        return List.copyOf(files);
    }

    /**
     * Those of a folder with a script, which is executable whatever its mode in the repository.
     *
     * @param required whether it has to be there though nothing else is
     */
    static List<SandboxFile> scripts(
            Path folder, String script, boolean required, List<HarborProblem> problems) {
        List<SandboxFile> files = read(folder, problems);
        boolean there = files.stream().anyMatch(file -> file.path().equals(script));
        if (!there && (required || !files.isEmpty())) {
            problems.add(problem(folder.resolve(script), "is missing", "write the script"));
        }
        return runnable(files, script);
    }

    /** The same files, with a script that is executable. */
    static List<SandboxFile> runnable(List<SandboxFile> files, String script) {
        return files.stream()
                .map(
                        file ->
                                file.path().equals(script)
                                        ? new SandboxFile(script, file.content(), true)
                                        : file)
                .toList();
    }

    private static HarborProblem problem(Path path, String message, String remedy) {
        return new HarborProblem(path.toString(), "", message, remedy);
    }
}
