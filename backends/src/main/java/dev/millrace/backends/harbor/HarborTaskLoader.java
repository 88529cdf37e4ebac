package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads tasks in the Harbor format. Everything that can't be followed is refused here, by name,
 * before any sandbox exists.
 */
public final class HarborTaskLoader {
    private static final Logger LOG = LoggerFactory.getLogger(HarborTaskLoader.class);
    private static final int MOST_SAID = 1000;
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?");
    private static final double DEFAULT_SECONDS = 600;

    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final SandboxLimits defaults;
    private final SandboxLimits ceiling;
    private final Map<String, String> host;
    private final ImageMapping images;
    private final String noSteps;

    /**
     * @param defaults for what a task does not ask for
     * @param ceiling most that a task gets; it is noted where it asks for more
     * @param host variables that templates in a task may name
     */
    public HarborTaskLoader(
            SandboxLimits defaults, SandboxLimits ceiling, Map<String, String> host) {
        this(defaults, ceiling, Map.copyOf(host), ImageMapping.NONE, "");
    }

    private HarborTaskLoader(
            SandboxLimits defaults,
            SandboxLimits ceiling,
            Map<String, String> host,
            ImageMapping images,
            String noSteps) {
        this.defaults = defaults;
        this.ceiling = ceiling;
        this.host = host;
        this.images = images;
        this.noSteps = noSteps;
    }

    /** Limits that suit small repositories; no variable of the host may be named. */
    public HarborTaskLoader() {
        this(Map.of());
    }

    /**
     * Limits that suit small repositories.
     *
     * @param host variables that templates in a task may name
     */
    public HarborTaskLoader(Map<String, String> host) {
        this(SandboxLimits.SMALL, new SandboxLimits(4, 4096, 512, 2048), host);
    }

    /** The same with images that stand for those that tasks name; others are refused. */
    public HarborTaskLoader on(ImageMapping mapping) {
        return new HarborTaskLoader(defaults, ceiling, host, mapping, noSteps);
    }

    /**
     * The same, refusing tasks of several steps.
     *
     * @param why they can't be played
     */
    public HarborTaskLoader withoutSteps(String why) {
        return new HarborTaskLoader(defaults, ceiling, host, images, why);
    }

    /**
     * All tasks directly below a folder, sorted by folder name; folders without a {@code task.toml}
     * are no tasks.
     *
     * @throws HarborTaskException with the problems of all of them, also when there is no task
     */
    public List<HarborTask> loadAll(Path folder) throws HarborTaskException {
        List<HarborProblem> problems = new ArrayList<>();
        List<HarborTask> tasks = new ArrayList<>();
        Map<String, Path> names = new HashMap<>();
        for (Path child : children(folder, problems)) {
            try {
                HarborTask task = load(child);
                Path earlier = names.putIfAbsent(task.name(), child);
                if (earlier != null) {
                    String message = "'" + task.name() + "' is the name of " + earlier + " too";
                    problems.add(
                            problem(child.resolve("task.toml"), "task.name", message, "rename"));
                }
                tasks.add(task);
            } catch (HarborTaskException e) {
                problems.addAll(e.problems());
            }
        }
        if (tasks.isEmpty() && problems.isEmpty()) {
            String message = "there is no folder with a task.toml in it";
            problems.add(problem(folder, "", message, "name the folder that holds the tasks"));
        }
        if (!problems.isEmpty()) {
            throw new HarborTaskException(problems);
        }
        return List.copyOf(tasks);
    }

    private static List<Path> children(Path folder, List<HarborProblem> problems) {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.filter(path -> Files.exists(path.resolve("task.toml"))).sorted().toList();
        } catch (IOException e) {
            problems.add(problem(folder, "", "can't be listed", "name a folder of tasks"));
            return List.of();
        }
    }

    /**
     * Reads one task.
     *
     * @throws HarborTaskException with all of its problems
     */
    public HarborTask load(Path folder) throws HarborTaskException {
        List<HarborProblem> problems = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Path file = folder.resolve("task.toml");
        TaskToml toml = TaskToml.parse(file, TaskText.read(file, problems), problems);
        boolean single = !toml.has("steps");
        String instruction =
                single ? TaskText.instruction(folder.resolve("instruction.md"), problems) : "";
        UnsupportedFeatures.refuse(toml);
        if (!single && !noSteps.isEmpty()) {
            toml.problem("steps", "is unsupported " + noSteps, "leave the task out");
        }
        sayUnknown(toml, file, notes);
        String name = toml.text("task.name").orElse(folder.getFileName().toString());
        if (!NAME.matcher(name).matches() || name.contains("..")) {
            toml.problem("task.name", "'" + name + "' is no name", "write it as org/name");
        }
        VerifierReader.Environments environments =
                (section, context) -> environment(section, context, problems, notes);
        EnvironmentSpec environment =
                environments.read(toml.section("environment"), folder.resolve("environment"));
        VerifierReader verifier = new VerifierReader(toml, problems);
        String agentUser = toml.user("agent.user");
        refuseSwitches(toml, verifier.isSeparate());
        HarborTask task =
                new HarborTask(
                        name,
                        folder,
                        instruction,
                        toml.seconds("agent.timeout_sec", 0),
                        toml.seconds("verifier.timeout_sec", DEFAULT_SECONDS),
                        toml.variables("verifier.env", host),
                        toml.variables("solution.env", host),
                        environment.plan(),
                        environment.limits(),
                        agentUser,
                        environment.healthcheck(),
                        verifier.read(folder, agentUser, environments),
                        ArtifactReader.read(toml, "artifacts"),
                        StepPlan.NONE,
                        single
                                ? TaskFiles.scripts(
                                        folder.resolve("tests"),
                                        "test.sh",
                                        !verifier.isSeparate(),
                                        problems)
                                : TaskFiles.read(folder.resolve("tests"), problems),
                        TaskFiles.scripts(folder.resolve("solution"), "solve.sh", false, problems),
                        notes.stream().distinct().toList());
        HarborTask read = single ? task : new StepReader(task, host, problems).read(toml);
        if (!problems.isEmpty()) {
            // An environment that is copied is read twice.
            throw new HarborTaskException(problems.stream().distinct().toList());
        }
        return read;
    }

    private void sayUnknown(TaskToml toml, Path file, List<String> notes) {
        List<String> unknown = UnknownKeys.of(toml);
        if (!unknown.isEmpty()) {
            notes.add("keys without a meaning are ignored: " + String.join(", ", unknown));
        }
        for (String key : unknown) {
            if (said.size() < MOST_SAID && said.add(key)) {
                LOG.info("A key without a meaning is ignored, here and elsewhere {} {}", key, file);
            }
        }
    }

    private static void refuseSwitches(TaskToml toml, boolean separate) {
        String mode = NetworkRequest.mode(toml.section("environment"));
        NetworkRequest.refuseSwitch(toml, "agent", mode);
        if (!separate) {
            NetworkRequest.refuseSwitch(toml, "verifier", mode);
        }
    }

    /** An environment, from its section of the task's file and the folder it is built from. */
    private EnvironmentSpec environment(
            TaskToml section, Path context, List<HarborProblem> problems, List<String> notes) {
        UnsupportedFeatures.refuse(section, context, problems);
        NetworkRequest.check(section, notes);
        return new EnvironmentSpec(
                plan(section, context, problems, notes),
                limits(section, notes),
                Healthcheck.read(section));
    }

    private EnvironmentPlan plan(
            TaskToml section, Path context, List<HarborProblem> problems, List<String> notes) {
        if (!Files.isDirectory(context)) {
            problems.add(problem(context, "", "is missing", "make the folder"));
        }
        List<SandboxFile> files = TaskFiles.read(context, problems);
        EnvironmentReader reader = new EnvironmentReader(context, files, images, problems, notes);
        String workdir = section.text("workdir").orElse("");
        if (!workdir.isEmpty() && !workdir.startsWith("/")) {
            section.problem("workdir", "is not absolute", "begin it with /");
        }
        EnvironmentPlan plan =
                reader.read(
                        section.text("docker_image").orElse(""),
                        workdir,
                        section.seconds("build_timeout_sec", DEFAULT_SECONDS));
        if (plan.workdir().equals("/")) {
            problems.add(problem(context, "", "the root can't be the working folder", "name one"));
        }
        Map<String, String> variables = new HashMap<>(plan.environment());
        variables.putAll(section.variables("env", host));
        return plan.with(Map.copyOf(variables));
    }

    private SandboxLimits limits(TaskToml section, List<String> notes) {
        double cpus = section.positive("cpus").orElse(defaults.cpus());
        int memory = section.megabytes("memory_mb", "memory").orElse(defaults.memoryMb());
        int disk = section.megabytes("storage_mb", "storage").orElse(defaults.diskMb());
        if (cpus > ceiling.cpus() || memory > ceiling.memoryMb() || disk > ceiling.diskMb()) {
            notes.add(
                    String.format(
                            Locale.ROOT,
                            "asked for %.1f cpus, %d MiB of memory and %d MiB of disk, gets at most"
                                    + " %.1f, %d and %d",
                            cpus,
                            memory,
                            disk,
                            ceiling.cpus(),
                            ceiling.memoryMb(),
                            ceiling.diskMb()));
        }
        return new SandboxLimits(
                Math.min(cpus, ceiling.cpus()),
                Math.min(memory, ceiling.memoryMb()),
                defaults.processes(),
                Math.min(disk, ceiling.diskMb()));
    }

    private static HarborProblem problem(Path file, String key, String message, String remedy) {
        return new HarborProblem(file.toString(), key, message, remedy);
    }
}
