package dev.millrace.backends.dataset;

import dev.millrace.udfs.dataset.DatasetRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    /** Reason of rows whose repository is not there. */
    static final String NO_REPOSITORY = "no local repository";

    /** Reason of rows whose repository doesn't have their commit. */
    static final String NO_COMMIT = "base_commit not in the local repository";

    private static final long MINUTES = 10;

    private SourceTree() {}

    /** Why a row's files can't be had; nothing when they can. */
    static Optional<String> problem(Path repositories, DatasetRow row) throws IOException {
        Optional<Path> repository = folder(repositories, row);
        if (repository.isEmpty()) {
            return Optional.of(NO_REPOSITORY + ": " + row.repo() + " is not in " + repositories);
        }
        String tree = row.baseCommit() + "^{tree}";
        List<String> command =
                List.of("git", "-C", repository.get().toString(), "cat-file", "-e", tree);
        Output looked = output(command);
        return looked.exitCode() == 0
                ? Optional.empty()
                : Optional.of(NO_COMMIT + ": " + repository.get() + " has no " + row.baseCommit());
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

    private record Output(int exitCode, String text) {}

    private static void run(List<String> command) throws IOException {
        Output output = output(command);
        if (output.exitCode() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output.text());
        }
    }

    private static Output output(List<String> command) throws IOException {
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
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
            return new Output(process.exitValue(), text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
