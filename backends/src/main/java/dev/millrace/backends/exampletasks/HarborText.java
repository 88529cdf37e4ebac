package dev.millrace.backends.exampletasks;

/** The files that all example tasks have in common. */
final class HarborText {
    /** Last line of a check that ran to its end. */
    static final String PASSED = "all assertions hold";

    static final String DOCKERFILE =
            """
            FROM python:3.11-slim
            WORKDIR /workspace
            COPY repo/ /workspace/
            """;

    /**
     * The exit code alone would not do: a repository that ends the interpreter early also exits
     * with 0.
     */
    static final String TEST_SCRIPT =
            """
            #!/bin/sh
            mkdir -p /logs/verifier
            reward=0
            if said=$(python3 -I -S -B /tests/check.py) && [ "$said" = "all assertions hold" ]; then
                reward=1
            fi
            echo "$reward" > /logs/verifier/reward.txt
            """;

    private HarborText() {}

    static String taskToml(String id, String family) {
        return """
        schema_version = "1.3"

        [task]
        name = "millrace/%s"
        description = "A tiny repository with one defect."
        keywords = ["%s"]

        [metadata]
        family = "%s"

        [agent]
        timeout_sec = 60.0

        [verifier]
        timeout_sec = 30.0

        [environment]
        network_mode = "no-network"
        build_timeout_sec = 300.0
        cpus = 1
        memory_mb = 256
        storage_mb = 64
        """
                .formatted(id, family, family);
    }

    static String solution(String repair) {
        return "#!/bin/sh\ncd /workspace || exit 1\n" + repair + "\n";
    }

    /** A check made of statements that assert something. */
    static String check(String statements) {
        return "import sys\n\nsys.path.insert(0, \"/workspace\")\n\n"
                + statements
                + "\nprint(\""
                + PASSED
                + "\")\n";
    }
}
