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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads tasks in the Harbor format, single-step and with a shared verifier. Everything that can't
 * be followed is refused here, by name, before any sandbox exists.
 */
public final class HarborTaskLoader {
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?");
    private static final double DEFAULT_SECONDS = 600;
    private static final List<String> UNSUPPORTED_KEYS =
            List.of(
                    "steps",
                    "verifier.environment",
                    "verifier.collect",
                    "environment.gpu_types",
                    "environment.tpu",
                    "environment.healthcheck",
                    "environment.mcp_servers",
                    "environment.skills_dir",
                    "agent.user",
                    "verifier.user",
                    "agent.allowed_hosts",
                    "verifier.allowed_hosts");

    private final SandboxLimits defaults;
    private final SandboxLimits ceiling;
    private final Map<String, String> host;
    private final ImageMapping images;

    /**
     * @param defaults for what a task does not ask for
     * @param ceiling most that a task gets; it is noted where it asks for more
     * @param host variables that templates in a task may name
     */
    public HarborTaskLoader(
            SandboxLimits defaults, SandboxLimits ceiling, Map<String, String> host) {
        this(defaults, ceiling, Map.copyOf(host), ImageMapping.NONE);
    }

    private HarborTaskLoader(
            SandboxLimits defaults,
            SandboxLimits ceiling,
            Map<String, String> host,
            ImageMapping images) {
        this.defaults = defaults;
        this.ceiling = ceiling;
        this.host = host;
        this.images = images;
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
        return new HarborTaskLoader(defaults, ceiling, host, mapping);
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
        TaskToml toml = TaskToml.parse(file, read(file, problems), problems);
        String instruction = instruction(folder.resolve("instruction.md"), problems);
        refuseUnsupported(toml, folder, problems);
        readNetwork(toml, notes);
        String name = toml.text("task.name").orElse(folder.getFileName().toString());
        if (!NAME.matcher(name).matches()) {
            toml.problem("task.name", "'" + name + "' is no name", "write it as org/name");
        }
        HarborTask task =
                new HarborTask(
                        name,
                        folder,
                        instruction,
                        toml.seconds("agent.timeout_sec", 0),
                        toml.seconds("verifier.timeout_sec", DEFAULT_SECONDS),
                        toml.variables("verifier.env", host),
                        toml.variables("solution.env", host),
                        environment(toml, folder, problems, notes),
                        limits(toml, notes),
                        scripts(folder.resolve("tests"), "test.sh", true, problems),
                        scripts(folder.resolve("solution"), "solve.sh", false, problems),
                        notes);
        if (!problems.isEmpty()) {
            throw new HarborTaskException(problems);
        }
        return task;
    }

    /** What the agent is to do; without a word in it nobody is asked anything. */
    private static String instruction(Path file, List<HarborProblem> problems) {
        int before = problems.size();
        String text = Canary.strip(read(file, problems));
        if (text.isBlank() && problems.size() == before) {
            problems.add(problem(file, "", "says nothing", "write what is to be done"));
        }
        return text;
    }

    private static void refuseUnsupported(
            TaskToml toml, Path folder, List<HarborProblem> problems) {
        for (String key : UNSUPPORTED_KEYS) {
            if (toml.has(key)) {
                toml.problem(key, "is unsupported", "remove it, or run the task elsewhere");
            }
        }
        if (!toml.isZero("environment.gpus")) {
            toml.problem("environment.gpus", "is unsupported", "run the task elsewhere");
        }
        String os = toml.text("environment.os").orElse("linux");
        if (!os.toLowerCase(Locale.ROOT).equals("linux")) {
            toml.problem("environment.os", "'" + os + "' is unsupported", "use a Linux task");
        }
        if (toml.text("verifier.environment_mode").orElse("shared").equals("separate")) {
            String remedy = "remove it; grading is always done in a fresh sandbox";
            toml.problem("verifier.environment_mode", "'separate' is unsupported", remedy);
        }
        for (String compose : List.of("docker-compose.yaml", "docker-compose.yml")) {
            Path path = folder.resolve("environment").resolve(compose);
            if (Files.exists(path)) {
                problems.add(problem(path, "", "compose is unsupported", "use a Dockerfile"));
            }
        }
    }

    private static void readNetwork(TaskToml toml, List<String> notes) {
        boolean hosts = toml.has("environment.allowed_hosts");
        String mode = toml.text("environment.network_mode").orElse("");
        boolean closed = !toml.flag("environment.allow_internet").orElse(true);
        if (mode.isEmpty()) {
            mode = closed && !hosts ? "no-network" : "public";
        }
        if (mode.equals("allowlist")) {
            String key = "environment.network_mode";
            toml.problem(key, "'allowlist' is unsupported", "use no-network");
        } else if (hosts) {
            String message = "is there without network_mode = \"allowlist\"";
            toml.problem("environment.allowed_hosts", message, "remove it");
        } else if (mode.equals("public")) {
            notes.add("a network is asked for and there is none");
        } else if (!mode.equals("no-network")) {
            toml.problem("environment.network_mode", "'" + mode + "' is unknown", "use no-network");
        }
        for (String phase : List.of("agent.network_mode", "verifier.network_mode")) {
            if (!toml.text(phase).orElse(mode).equals(mode)) {
                toml.problem(phase, "another network per phase is unsupported", "remove it");
            }
        }
    }

    private EnvironmentPlan environment(
            TaskToml toml, Path folder, List<HarborProblem> problems, List<String> notes) {
        Path environment = folder.resolve("environment");
        if (!Files.isDirectory(environment)) {
            problems.add(problem(environment, "", "is missing", "make the folder"));
        }
        List<SandboxFile> files = TaskFiles.read(environment, problems);
        EnvironmentReader reader =
                new EnvironmentReader(environment, files, images, problems, notes);
        String workdir = toml.text("environment.workdir").orElse("");
        if (!workdir.isEmpty() && !workdir.startsWith("/")) {
            toml.problem("environment.workdir", "is not absolute", "begin it with /");
        }
        EnvironmentPlan plan =
                reader.read(
                        toml.text("environment.docker_image").orElse(""),
                        workdir,
                        toml.seconds("environment.build_timeout_sec", DEFAULT_SECONDS));
        if (plan.workdir().equals("/")) {
            problems.add(
                    problem(environment, "", "the root can't be the working folder", "name one"));
        }
        Map<String, String> variables = new HashMap<>(plan.environment());
        variables.putAll(toml.variables("environment.env", host));
        return plan.with(Map.copyOf(variables));
    }

    private SandboxLimits limits(TaskToml toml, List<String> notes) {
        double cpus = toml.positive("environment.cpus").orElse(defaults.cpus());
        int memory =
                toml.megabytes("environment.memory_mb", "environment.memory")
                        .orElse(defaults.memoryMb());
        int disk =
                toml.megabytes("environment.storage_mb", "environment.storage")
                        .orElse(defaults.diskMb());
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

    private static List<SandboxFile> scripts(
            Path folder, String script, boolean required, List<HarborProblem> problems) {
        List<SandboxFile> files = TaskFiles.read(folder, problems);
        boolean there = files.stream().anyMatch(file -> file.path().equals(script));
        if (!there && (required || !files.isEmpty())) {
            problems.add(problem(folder.resolve(script), "", "is missing", "write the script"));
        }
        // The format asks for the script to be executable, whatever its mode in the repository.
        return files.stream()
                .map(
                        file ->
                                file.path().equals(script)
                                        ? new SandboxFile(script, file.content(), true)
                                        : file)
                .toList();
    }

    private static String read(Path file, List<HarborProblem> problems) {
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (IOException e) {
            problems.add(problem(file, "", "can't be read as text", "write the file, in UTF-8"));
            return "";
        }
    }

    private static HarborProblem problem(Path file, String key, String message, String remedy) {
        return new HarborProblem(file.toString(), key, message, remedy);
    }
}
