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

    /**
     * A valid task of two steps: the sign has to become a plus, then a file of the second step has
     * to be renamed. Each step's test is worth 0 or 1.
     *
     * @param minimum line of the first step, or empty
     */
    static TaskFolder inSteps(Path parent, String minimum) throws IOException {
        String toml = "[[steps]]\nname = \"sign\"\n" + minimum + "[[steps]]\nname = \"name\"\n";
        TaskFolder task =
                create(parent, "steps").without("instruction.md").without("tests/test.sh");
        return task.without("solution/solve.sh")
                .with("task.toml", toml + CLOSED)
                .with("tests/worth.sh", "echo $1 > /logs/verifier/reward.txt\n")
                .with("steps/sign/instruction.md", "Make the sign a plus.\n")
                .with("steps/sign/tests/test.sh", worthIf("grep -q plus sign.txt"))
                .with("steps/sign/tests/secret.txt", "of the first step")
                .with("steps/sign/solution/solve.sh", SOLUTION)
                .with("steps/name/instruction.md", "Rename old.txt to new.txt.\n")
                .with("steps/name/workdir/old.txt", "text of old\n")
                .with("steps/name/workdir/setup.sh", "[ -f sign.txt ] && echo ready > ready.txt\n")
                .with(
                        "steps/name/tests/test.sh",
                        worthIf("cat ready.txt new.txt 2>/dev/null | grep -q text"))
                .with("steps/name/solution/solve.sh", "#!/bin/sh\nmv old.txt new.txt\n");
    }

    private static String worthIf(String condition) {
        return "#!/bin/sh\nif "
                + condition
                + "; then sh /tests/worth.sh 1; else sh /tests/worth.sh 0; fi\n";
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
