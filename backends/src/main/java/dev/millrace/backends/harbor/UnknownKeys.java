package dev.millrace.backends.harbor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys of a task's file that mean nothing; they are ignored, and said. */
final class UnknownKeys {
    private static final Set<String> ENVIRONMENT =
            Set.of(
                    "build_timeout_sec",
                    "docker_image",
                    "os",
                    "cpus",
                    "memory_mb",
                    "storage_mb",
                    "gpus",
                    "gpu_types",
                    "tpu",
                    "network_mode",
                    "allowed_hosts",
                    "env",
                    "workdir",
                    "healthcheck",
                    "mcp_servers",
                    "skills_dir",
                    "memory",
                    "storage",
                    "allow_internet");
    private static final Set<String> HEALTHCHECK =
            Set.of(
                    "command",
                    "interval_sec",
                    "timeout_sec",
                    "start_period_sec",
                    "start_interval_sec",
                    "retries");
    private static final Set<String> TOP =
            Set.of(
                    "schema_version",
                    "version",
                    "source",
                    "multi_step_reward_strategy",
                    "artifacts",
                    "task",
                    "metadata",
                    "steps",
                    "verifier",
                    "agent",
                    "environment",
                    "solution");
    private static final Set<String> AGENT =
            Set.of("timeout_sec", "user", "network_mode", "allowed_hosts");
    private static final Set<String> VERIFIER =
            Set.of(
                    "timeout_sec",
                    "env",
                    "user",
                    "environment_mode",
                    "environment",
                    "collect",
                    "network_mode",
                    "allowed_hosts");
    private static final Set<String> STEP =
            Set.of("name", "agent", "verifier", "min_reward", "healthcheck", "artifacts");
    private static final Map<String, Set<String>> SECTIONS =
            Map.of(
                    "task", Set.of("name", "description", "authors", "keywords"),
                    "agent", AGENT,
                    "verifier", VERIFIER,
                    "verifier.environment", ENVIRONMENT,
                    "verifier.environment.healthcheck", HEALTHCHECK,
                    "environment", ENVIRONMENT,
                    "environment.healthcheck", HEALTHCHECK,
                    "solution", Set.of("env"));

    private UnknownKeys() {}

    /** In alphabetical order. */
    static List<String> of(TaskToml toml) {
        List<String> found = new ArrayList<>();
        toml.names().stream().filter(name -> !TOP.contains(name)).forEach(found::add);
        SECTIONS.forEach(
                (section, known) -> {
                    TaskToml part = toml.section(section);
                    part.names().stream()
                            .filter(name -> !known.contains(name))
                            .forEach(name -> found.add(part.named(name)));
                });
        for (TaskToml step : toml.items("steps")) {
            step.names().stream()
                    .filter(name -> !STEP.contains(name))
                    .forEach(name -> found.add(step.named(name)));
        }
        found.sort(null);
        return found;
    }
}
