package dev.millrace.backends.harbor;

import dev.millrace.backends.harbor.Dockerfile.Instruction;
import dev.millrace.backends.image.ImageConfig;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.sandbox.ShellText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns the folder {@code environment} of a task into a plan, as far as the host can follow it. */
final class EnvironmentReader {
    /** Where tasks work that don't say where. */
    static final String DEFAULT_WORKDIR = "/app";

    private static final Set<String> WITHOUT_EFFECT =
            Set.of(
                    "LABEL",
                    "EXPOSE",
                    "CMD",
                    "ENTRYPOINT",
                    "MAINTAINER",
                    "STOPSIGNAL",
                    "VOLUME",
                    "HEALTHCHECK");
    private static final String REMEDY =
            "only FROM, ARG, SHELL, WORKDIR, ENV, USER, RUN and COPY or ADD of local files can be"
                    + " followed on this host";

    private static final Pattern PATH = Pattern.compile("\\$(PATH\\b|\\{PATH)");

    private final Path file;
    private final ContextFiles context;
    private final BaseImages images;
    private final List<HarborProblem> problems;
    private final List<String> notes;
    private final Map<String, DockerfileStage> stages = new HashMap<>();
    private final Map<String, String> beforeFrom = new HashMap<>();
    private DockerfileStage stage = new DockerfileStage("", ImageConfig.NONE);

    EnvironmentReader(
            Path folder,
            List<SandboxFile> context,
            ImageMapping images,
            List<HarborProblem> problems,
            List<String> notes) {
        this.file = folder.resolve("Dockerfile");
        this.context = new ContextFiles(context);
        this.images = new BaseImages(file, images, problems, notes);
        this.problems = problems;
        this.notes = notes;
    }

    /** Reads the same and reports elsewhere. */
    private EnvironmentReader(
            EnvironmentReader other, List<HarborProblem> problems, List<String> notes) {
        this.file = other.file;
        this.context = other.context;
        this.images = new BaseImages(file, ImageMapping.AS_NAMED, problems, notes);
        this.problems = problems;
        this.notes = notes;
    }

    /**
     * @param image the task's prebuilt image, or empty
     * @param ownWorkdir the task's own working folder, or empty
     */
    EnvironmentPlan read(String image, String ownWorkdir, long buildTimeoutMillis) {
        Optional<SandboxFile> dockerfile = context.file("Dockerfile");
        String text =
                dockerfile
                        .map(found -> new String(found.content(), StandardCharsets.UTF_8))
                        .orElse("");
        if (!images.takesOver(image, dockerfile.isPresent())) {
            Dockerfile.parse(text).forEach(this::apply);
        } else {
            stage = images.begin("environment.docker_image", image);
            if (dockerfile.isPresent()) {
                notes.add("the Dockerfile is not followed, as the image '" + image + "' is there");
            }
            if (images.areAsNamed()) {
                describe(text);
            }
        }
        String inside = stage.workdir.isEmpty() ? DEFAULT_WORKDIR : stage.workdir;
        String effective = ownWorkdir.isEmpty() ? inside : ownWorkdir;
        if (ownWorkdir.isEmpty() && stage.workdir.isEmpty()) {
            notes.add("no working folder is named, " + DEFAULT_WORKDIR + " is used");
        }
        if (dockerfile.isEmpty() && !context.files().isEmpty()) {
            List<SandboxFile> placed = new ArrayList<>();
            context.files().forEach(one -> placed.add(at(effective + "/" + one.path(), one)));
            stage.steps.add(new EnvironmentPlan.Step(0, placed, "", effective, Map.of()));
        }
        return new EnvironmentPlan(
                stage.image,
                images.user(stage.user),
                effective,
                Map.copyOf(stage.environment),
                List.copyOf(stage.steps),
                buildTimeoutMillis);
    }

    /** What an image can't be asked for is in the Dockerfile that it was built from. */
    private void describe(String text) {
        EnvironmentReader built = new EnvironmentReader(this, new ArrayList<>(), new ArrayList<>());
        Dockerfile.parse(text).forEach(built::apply);
        stage.workdir = built.stage.workdir;
        stage.user = built.stage.user;
    }

    private void apply(Instruction instruction) {
        switch (instruction.name()) {
            case "FROM" -> from(instruction);
            case "ARG" -> argument(instruction);
            case "SHELL" -> shell(instruction);
            case "USER" -> user(instruction);
            case "WORKDIR" -> {
                String path = Dockerfile.words(instruction.arguments()).get(0);
                stage.workdir = stage.resolve(stage.expand(path));
                stage.folders.add(stage.workdir);
            }
            case "ENV" -> env(instruction);
            case "COPY", "ADD" -> copy(instruction);
            case "RUN" -> run(instruction);
            default -> {
                if (WITHOUT_EFFECT.contains(instruction.name())) {
                    notes.add(instruction.name() + " of the Dockerfile has no effect");
                } else {
                    refuse(instruction, instruction.name() + " is unsupported");
                }
            }
        }
    }

    private void from(Instruction instruction) {
        List<String> words = new ArrayList<>(Dockerfile.words(instruction.arguments()));
        words.removeIf(word -> word.startsWith("--platform="));
        if (words.isEmpty()) {
            refuse(instruction, "FROM names no image");
            return;
        }
        String name = VariableText.expand(words.get(0), beforeFrom);
        DockerfileStage earlier = stages.get(name.toLowerCase(Locale.ROOT));
        if (earlier != null) {
            stage = new DockerfileStage(earlier);
        } else {
            stage = images.from(instruction.line(), name, instruction.arguments());
        }
        if (words.size() == 3 && words.get(1).equalsIgnoreCase("AS")) {
            stages.put(words.get(2).toLowerCase(Locale.ROOT), stage);
        }
        stages.put(Integer.toString(stages.size()), stage);
    }

    private void argument(Instruction instruction) {
        for (String word : Dockerfile.words(instruction.arguments())) {
            String[] pair = word.split("=", 2);
            Map<String, String> into = stages.isEmpty() ? beforeFrom : stage.arguments;
            if (pair.length > 1) {
                into.put(pair[0], stage.expand(pair[1]));
            } else if (beforeFrom.containsKey(pair[0])) {
                into.put(pair[0], beforeFrom.get(pair[0]));
            }
        }
    }

    private void shell(Instruction instruction) {
        Optional<List<String>> words = CopyInstruction.list(instruction.arguments());
        if (words.isEmpty() || words.get().isEmpty()) {
            refuse(instruction, "SHELL needs a list such as [\"/bin/bash\", \"-c\"]");
        } else {
            stage.shell = words.get();
        }
    }

    private void user(Instruction instruction) {
        if (stage.image.isEmpty() && !images.areAsNamed()) {
            refuse(instruction, "USER is unsupported without an image");
            return;
        }
        stage.user = stage.expand(Dockerfile.words(instruction.arguments()).get(0));
        if (!images.areAsNamed()) {
            notes.add("USER " + stage.user + " counts for the agent and the tests, RUN is root's");
        }
    }

    private void env(Instruction instruction) {
        if (images.areAsNamed() && PATH.matcher(instruction.arguments()).find()) {
            notes.add("$PATH of the Dockerfile is the usual one, the image's own is not known");
        }
        List<String> words = Dockerfile.words(instruction.arguments());
        if (!words.isEmpty() && words.get(0).indexOf('=') < 0) {
            String[] old = instruction.arguments().split("\\s+", 2);
            stage.environment.put(old[0], stage.expand(old.length > 1 ? old[1] : ""));
            return;
        }
        Map<String, String> now = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                refuse(instruction, "'" + word + "' is no NAME=value");
            } else {
                now.put(word.substring(0, equals), stage.expand(word.substring(equals + 1)));
            }
        }
        stage.environment.putAll(now);
    }

    private void run(Instruction instruction) {
        String text = instruction.arguments();
        while (text.startsWith("--mount=type=cache")) {
            // A cache may be empty at any time.
            text = text.replaceFirst("^\\S+\\s*", "");
        }
        if (text.startsWith("--")) {
            refuse(instruction, "RUN with " + text.split("\\s+", 2)[0] + " is unsupported");
            return;
        }
        Optional<List<String>> words = CopyInstruction.list(text);
        String command =
                words.isPresent() ? command(words.get()) : inShell(Dockerfile.shellText(text));
        String where = stage.workdir.isEmpty() ? "/" : stage.workdir;
        stage.steps.add(
                new EnvironmentPlan.Step(
                        instruction.line(), List.of(), command, where, stage.variables()));
    }

    private String inShell(String text) {
        if (stage.shell.isEmpty()) {
            return text;
        }
        List<String> words = new ArrayList<>(stage.shell);
        words.add(text);
        return command(words);
    }

    private static String command(List<String> words) {
        return words.stream().map(ShellText::quote).collect(Collectors.joining(" "));
    }

    private void copy(Instruction instruction) {
        Optional<CopyInstruction> parsed = CopyInstruction.parse(instruction.arguments());
        if (parsed.isEmpty()) {
            refuse(instruction, instruction.name() + " needs a source and a target");
            return;
        }
        CopyPlacement placement = new CopyPlacement(context, stage);
        List<SandboxFile> placed = placement.place(parsed.get(), instruction.name().equals("ADD"));
        placement.problems().forEach(problem -> refuse(instruction, problem));
        stage.steps.add(new EnvironmentPlan.Step(instruction.line(), placed, "", "/", Map.of()));
    }

    static SandboxFile at(String absolute, SandboxFile file) {
        String path = Path.of("/").relativize(Path.of(absolute).normalize()).toString();
        return new SandboxFile(path, file.content(), file.executable());
    }

    private void refuse(Instruction instruction, String message) {
        problems.add(
                new HarborProblem(file.toString(), "line " + instruction.line(), message, REMEDY));
    }
}
