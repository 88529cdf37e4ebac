package dev.millrace.backends.harbor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small task on disk, to be varied by tests. */
final class TaskFolder {
    static final String CLOSED = "[environment]\nallow_internet = false\n";
    static final String SOLUTION = "#!/bin/sh\nsed -i 's/minus/plus/' sign.txt\n";
    static final String TEST =
            "#!/bin/sh\nif grep -q plus /app/sign.txt; then echo 1; else echo 0; fi >"
                    + " /logs/verifier/reward.txt\n";
    static final String DOCKERFILE =
            """
            # small
            FROM python:3.13-slim
            WORKDIR /app
            ENV COLOUR=blue \\
              SIZE='very big'
            COPY sign.txt ./
            """;

    final Path path;

    private TaskFolder(Path path) {
        this.path = path;
    }

    /** A valid task: the sign has to become a plus. */
    static TaskFolder create(Path parent, String name) throws IOException {
        TaskFolder task = new TaskFolder(parent.resolve(name));
        return task.with("task.toml", CLOSED)
                .with("instruction.md", "Make the sign a plus.\n")
                .with("environment/Dockerfile", DOCKERFILE)
                .with("environment/sign.txt", "minus\n")
                .with("solution/solve.sh", SOLUTION)
                .with("tests/test.sh", TEST);
    }

    TaskFolder with(String file, String content) throws IOException {
        Path target = path.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, content);
        return this;
    }

    TaskFolder without(String file) throws IOException {
        Files.delete(path.resolve(file));
        return this;
    }
}
