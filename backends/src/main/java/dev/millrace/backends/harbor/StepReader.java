package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the steps of a task that has several. */
final class StepReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final String SCRIPT = "test.sh";
    private static final int MOST = 100;

    /** What a step has in common with its task, all steps being played in one sandbox. */
    private static final List<String> UNSUPPORTED =
            List.of(
                    "agent.network_mode",
                    "agent.allowed_hosts",
                    "verifier.network_mode",
                    "verifier.allowed_hosts",
                    "verifier.environment",
                    "verifier.environment_mode");

    private final HarborTask whole;
    private final Map<String, String> host;
    private final List<HarborProblem> problems;
    private final Set<String> names = new HashSet<>();
    private final Map<String, SandboxFile> given = new TreeMap<>();
    private final List<SandboxFile> solutions = new ArrayList<>();
    private final StringBuilder instructions = new StringBuilder();

    /**
     * @param whole the task without its steps
     * @param host variables that templates may name
     */
    StepReader(HarborTask whole, Map<String, String> host, List<HarborProblem> problems) {
        this.whole = whole;
        this.host = host;
        this.problems = problems;
    }

    /** The task with its steps. */
    HarborTask read(TaskToml toml) {
        String strategy = toml.text("multi_step_reward_strategy").orElse("mean");
        if (!strategy.equals("mean") && !strategy.equals("final")) {
            String message = "'" + strategy + "' is unknown";
            toml.problem("multi_step_reward_strategy", message, "use mean or final");
        }
        if (whole.verifier().separate().isPresent()) {
            toml.problem("steps", "are unsupported with tests of another environment", "remove it");
        }
        List<TaskToml> entries = toml.items("steps");
        if (entries.size() > MOST) {
            toml.problem("steps", "are more than " + MOST, "make them fewer");
            return whole;
        }
        List<TaskStep> steps = entries.stream().map(this::step).toList();
        StepPlan plan = new StepPlan(steps, strategy.equals("final"), List.of());
        return whole.with(instructions.toString(), List.copyOf(solutions), plan);
    }

    private TaskStep step(TaskToml entry) {
        String name = entry.text("name").orElse("");
        if (!NAME.matcher(name).matches() || name.contains("..") || !names.add(name)) {
            String message = "'" + name + "' is no name, or that of another step";
            entry.problem("name", message, "name the folder of the step");
            return unreadable(entry);
        }
        for (String key : UNSUPPORTED) {
            if (entry.has(key)) {
                entry.problem(key, "is unsupported", "remove it, or run the task elsewhere");
            }
        }
        String user = entry.user("agent.user");
        if (!user.isEmpty() && !user.equals(whole.agentUser())) {
            String message = "'" + user + "' is another one than agent.user, of one sandbox";
            entry.problem("agent.user", message, "remove it");
        }
        Path folder = whole.folder().resolve("steps").resolve(name);
        if (!Files.isDirectory(folder)) {
            problem(folder, "is missing", "make the folder of the step");
            return unreadable(entry);
        }
        return step(entry, name, folder);
    }

    /** Stands for a step whose problems have been named. */
    private TaskStep unreadable(TaskToml entry) {
        return new TaskStep("", "", setup(entry, List.of()), whole, List.of(), Map.of());
    }

    private TaskStep step(TaskToml entry, String name, Path folder) {
        String instruction = TaskText.instruction(folder.resolve("instruction.md"), problems);
        instructions.append(instruction).append('\n');
        List<SandboxFile> files = TaskFiles.read(folder.resolve("workdir"), problems);
        files.forEach(file -> given.put(file.path(), file));
        List<SandboxFile> solution =
                TaskFiles.scripts(folder.resolve("solution"), "solve.sh", false, problems);
        for (SandboxFile file : solution) {
            String path = name + "/" + file.path();
            solutions.add(new SandboxFile(path, file.content(), file.executable()));
        }
        return new TaskStep(
                name,
                instruction,
                setup(entry, files),
                graded(entry, folder),
                solution,
                minimum(entry));
    }

    private StepSetup setup(TaskToml entry, List<SandboxFile> files) {
        return new StepSetup(
                entry.text("name").orElse(""),
                files,
                Healthcheck.read(entry),
                whole.environment().buildTimeoutMillis());
    }

    /** The step's own tests win over those of the whole task. */
    private HarborTask graded(TaskToml entry, Path folder) {
        Map<String, SandboxFile> tests = new TreeMap<>();
        whole.tests().forEach(file -> tests.put(file.path(), file));
        TaskFiles.read(folder.resolve("tests"), problems)
                .forEach(file -> tests.put(file.path(), file));
        if (!tests.containsKey(SCRIPT)) {
            problem(folder.resolve("tests").resolve(SCRIPT), "is missing", "write the script");
        }
        Map<String, String> variables = new HashMap<>(whole.verifierEnvironment());
        variables.putAll(entry.variables("verifier.env", host));
        String user = entry.user("verifier.user");
        VerifierReader verifier = new VerifierReader(entry, problems);
        List<CollectCommand> collect = new ArrayList<>(whole.verifier().collect());
        collect.addAll(verifier.collect(whole.agentUser()));
        List<Artifact> artifacts = new ArrayList<>(whole.artifacts());
        ArtifactReader.read(entry, "artifacts").stream()
                .filter(each -> !artifacts.contains(each))
                .forEach(artifacts::add);
        return whole.asStep(
                instructions.toString(),
                entry.secondsOr("agent.timeout_sec", whole.agentTimeoutMillis()),
                entry.secondsOr("verifier.timeout_sec", whole.verifierTimeoutMillis()),
                Map.copyOf(variables),
                new VerifierPhase(
                        user.isEmpty() ? whole.verifier().user() : user,
                        Optional.empty(),
                        List.copyOf(collect)),
                List.copyOf(artifacts),
                TaskFiles.runnable(List.copyOf(tests.values()), SCRIPT),
                List.copyOf(solutions),
                new StepPlan(List.of(), false, List.copyOf(given.values())));
    }

    private static Map<String, Double> minimum(TaskToml entry) {
        return entry.numbers("min_reward", "reward");
    }

    private void problem(Path file, String message, String remedy) {
        problems.add(new HarborProblem(file.toString(), "", message, remedy));
    }
}
