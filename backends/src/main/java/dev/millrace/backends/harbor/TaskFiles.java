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

    private static HarborProblem problem(Path path, String message, String remedy) {
        return new HarborProblem(path.toString(), "", message, remedy);
    }
}
