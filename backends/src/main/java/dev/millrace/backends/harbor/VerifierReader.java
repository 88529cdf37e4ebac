package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads where, and as whom, a task's tests run. */
final class VerifierReader {
    private static final double COLLECT_SECONDS = 60;
    private static final String SCRIPT = "tests/test.sh";

    private final TaskToml toml;
    private final List<HarborProblem> problems;
    private final boolean separate;

    VerifierReader(TaskToml toml, List<HarborProblem> problems) {
        this.toml = toml;
        this.problems = problems;
        this.separate = readMode();
    }

    /** Reads the section of an environment and the folder that its image is built from. */
    interface Environments {
        EnvironmentSpec read(TaskToml section, Path context);
    }

    /** Whether the tests have an environment of their own. */
    boolean isSeparate() {
        return separate;
    }

    private boolean readMode() {
        String mode = toml.text("verifier.environment_mode").orElse("");
        boolean own = toml.has("verifier.environment");
        if (mode.equals("shared") && own) {
            String message = "is there though environment_mode is \"shared\"";
            toml.problem("verifier.environment", message, "remove one of the two");
        } else if (!mode.isEmpty() && !mode.equals("shared") && !mode.equals("separate")) {
            String key = "verifier.environment_mode";
            toml.problem(key, "'" + mode + "' is unknown", "use shared or separate");
        }
        return mode.isEmpty() ? own : mode.equals("separate");
    }

    /**
     * @param folder of the task
     * @param agentUser whom the agent's commands run as
     */
    VerifierPhase read(Path folder, String agentUser, Environments environments) {
        Optional<EnvironmentSpec> own = Optional.empty();
        if (separate) {
            String key = toml.has("verifier.environment") ? "verifier.environment" : "environment";
            Path tests = folder.resolve("tests");
            EnvironmentSpec spec = environments.read(toml.section(key), tests);
            requireScript(spec.plan(), tests);
            own = Optional.of(spec);
        }
        return new VerifierPhase(toml.user("verifier.user"), own, collect(agentUser));
    }

    /** Nothing is put into an environment that brings its tests along. */
    private void requireScript(EnvironmentPlan plan, Path tests) {
        boolean there =
                plan.hasCommands()
                        || plan.steps().stream()
                                .flatMap(step -> step.files().stream())
                                .map(SandboxFile::path)
                                .anyMatch(SCRIPT::equals);
        if (!there) {
            problems.add(
                    new HarborProblem(
                            tests.toString(),
                            "",
                            "the verifier's own environment has no /" + SCRIPT,
                            "write tests/Dockerfile with COPY test.sh /tests/"));
        }
    }

    List<CollectCommand> collect(String agentUser) {
        List<CollectCommand> found = new ArrayList<>();
        for (TaskToml entry : toml.items("verifier.collect")) {
            MainService.require(entry);
            String user = entry.user("user");
            if (!user.isEmpty() && !user.equals(agentUser)) {
                String message = "'" + user + "' is another one than agent.user, of one sandbox";
                entry.problem("user", message, "remove it");
            }
            Optional<String> command = entry.text("command");
            if (command.isEmpty() && !entry.has("command")) {
                entry.problem("command", "is missing", "write what is to be run");
            }
            long millis = entry.seconds("timeout_sec", COLLECT_SECONDS);
            command.ifPresent(text -> found.add(new CollectCommand(text, millis)));
        }
        return List.copyOf(found);
    }
}
