package dev.millrace.backends.dataset;

import dev.millrace.udfs.dataset.DatasetRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The files of a repository at a row's commit, for hosts that have no images. Taken from a local
 * repository by git, which never runs anything that lies in it: its configuration is trusted as the
 * person's own who put it there.
 */
final class SourceTree {
    private static final long MINUTES = 10;

    private SourceTree() {}

    static boolean exists(Path repositories, DatasetRow row) {
        return folder(repositories, row).isPresent();
    }

    private static Optional<Path> folder(Path repositories, DatasetRow row) {
        String repo = row.repo();
        return List.of(
                        repo,
                        repo + ".git",
                        repo.replace("/", "__"),
                        repo.replace("/", "__") + ".git")
                .stream()
                .map(repositories::resolve)
                .filter(Files::isDirectory)
                .findFirst();
    }

    /**
     * Writes the files of the commit.
     *
     * @throws IOException when the repository doesn't have it
     */
    static void export(Path repositories, DatasetRow row, Path target) throws IOException {
        Path repository = folder(repositories, row).orElseThrow();
        Path archive = Files.createTempFile("millrace-tree", ".tar");
        try {
            run(
                    List.of(
                            "git",
                            "-C",
                            repository.toString(),
                            "archive",
                            "--format=tar",
                            "-o",
                            archive.toString(),
                            row.baseCommit()));
            // Links are followed to files of the tree only, later, by whoever reads the task.
            run(List.of("tar", "-xf", archive.toString(), "-C", target.toString()));
        } finally {
            Files.deleteIfExists(archive);
        }
    }

    private static void run(List<String> command) throws IOException {
        Path output = Files.createTempFile("millrace-git", ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            builder.environment().putAll(Map.of("GIT_TERMINAL_PROMPT", "0"));
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(command.get(0) + " takes more than " + MINUTES + " minutes");
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        String.join(" ", command) + ": " + Files.readString(output).strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
