package dev.millrace.backends.harbor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What a task may ask for and no provider gives, refused by name. */
final class UnsupportedFeatures {
    private static final List<String> KEYS =
            List.of("agent.allowed_hosts", "verifier.allowed_hosts");
    private static final List<String> ENVIRONMENT_KEYS =
            List.of("gpu_types", "tpu", "mcp_servers", "skills_dir");
    private static final String ELSEWHERE = "remove it, or run the task elsewhere";

    private UnsupportedFeatures() {}

    /** Those of a task beside its environments. */
    static void refuse(TaskToml toml) {
        refuse(toml, KEYS);
    }

    /**
     * Those of an environment.
     *
     * @param section of the task's file
     * @param context folder that it is built from
     */
    static void refuse(TaskToml section, Path context, List<HarborProblem> problems) {
        refuse(section, ENVIRONMENT_KEYS);
        if (!section.isZero("gpus")) {
            section.problem("gpus", "is unsupported", "run the task elsewhere");
        }
        String os = section.text("os").orElse("linux");
        if (!os.toLowerCase(Locale.ROOT).equals("linux")) {
            section.problem("os", "'" + os + "' is unsupported", "use a Linux task");
        }
        for (String compose : List.of("docker-compose.yaml", "docker-compose.yml")) {
            Path path = context.resolve(compose);
            if (Files.exists(path)) {
                problems.add(
                        new HarborProblem(
                                path.toString(), "", "compose is unsupported", "use a Dockerfile"));
            }
        }
    }

    private static void refuse(TaskToml toml, List<String> keys) {
        for (String key : keys) {
            if (toml.has(key)) {
                toml.problem(key, "is unsupported", ELSEWHERE);
            }
        }
    }
}
