package dev.millrace.backends.harbor;

import dev.millrace.backends.harbor.Dockerfile.Instruction;
import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the folder {@code environment} of a task into a plan, as far as the host can follow it. */
final class EnvironmentReader {
    /** Where tasks work that don't say where. */
    static final String DEFAULT_WORKDIR = "/app";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_][A-Za-z0-9_]*)}?");
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("LABEL", "EXPOSE", "CMD", "ENTRYPOINT", "MAINTAINER", "STOPSIGNAL");

    private final Path file;
    private final List<SandboxFile> context;
    private final List<HarborProblem> problems;
    private final List<String> notes;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<EnvironmentPlan.Step> steps = new ArrayList<>();
    private final Set<String> folders = new HashSet<>();
    private String workdir = "";
    private int stages;

    EnvironmentReader(
            Path folder,
            List<SandboxFile> context,
            List<HarborProblem> problems,
            List<String> notes) {
        this.file = folder.resolve("Dockerfile");
        this.context = context;
        this.problems = problems;
        this.notes = notes;
    }

    /**
     * @param image the task's prebuilt image, or empty
     * @param ownWorkdir the task's own working folder, or empty
     */
    EnvironmentPlan read(String image, String ownWorkdir, long buildTimeoutMillis) {
        Optional<SandboxFile> dockerfile = find("Dockerfile");
        if (!image.isEmpty()) {
            notes.add("image '" + image + "' is replaced by this host's tool chain");
        }
        dockerfile.ifPresent(
                found -> {
                    String text = new String(found.content(), StandardCharsets.UTF_8);
                    Dockerfile.parse(text).forEach(this::apply);
                });
        String inside = workdir.isEmpty() ? DEFAULT_WORKDIR : workdir;
        String effective = ownWorkdir.isEmpty() ? inside : ownWorkdir;
        if (ownWorkdir.isEmpty() && workdir.isEmpty()) {
            notes.add("no working folder is named, " + DEFAULT_WORKDIR + " is used");
        }
        if (dockerfile.isEmpty() && !context.isEmpty()) {
            List<SandboxFile> placed = new ArrayList<>();
            context.forEach(one -> placed.add(at(effective + "/" + one.path(), one)));
            steps.add(new EnvironmentPlan.Step(0, placed, "", effective, Map.of()));
        }
        return new EnvironmentPlan(
                effective, Map.copyOf(environment), List.copyOf(steps), buildTimeoutMillis);
    }

    private void apply(Instruction instruction) {
        switch (instruction.name()) {
            case "FROM" -> from(instruction);
            case "WORKDIR" -> {
                workdir = resolve(expand(Dockerfile.words(instruction.arguments()).get(0)));
                folders.add(workdir);
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
        stages++;
        if (stages > 1) {
            refuse(instruction, "a second FROM (multi-stage build) is unsupported");
        } else {
            notes.add("FROM " + instruction.arguments() + " is replaced by this host's tool chain");
        }
    }

    private void env(Instruction instruction) {
        List<String> words = Dockerfile.words(instruction.arguments());
        if (!words.isEmpty() && words.get(0).indexOf('=') < 0) {
            String[] old = instruction.arguments().split("\\s+", 2);
            environment.put(old[0], expand(old.length > 1 ? old[1] : ""));
            return;
        }
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                refuse(instruction, "'" + word + "' is no NAME=value");
            } else {
                environment.put(word.substring(0, equals), expand(word.substring(equals + 1)));
            }
        }
    }

    private void run(Instruction instruction) {
        String text = Dockerfile.shellText(instruction.arguments());
        if (text.startsWith("--") || text.startsWith("[")) {
            refuse(instruction, "RUN with flags or as a list is unsupported");
            return;
        }
        String where = workdir.isEmpty() ? "/" : workdir;
        Map<String, String> now = Map.copyOf(environment);
        steps.add(new EnvironmentPlan.Step(instruction.line(), List.of(), text, where, now));
    }

    private void copy(Instruction instruction) {
        List<String> words = Dockerfile.words(instruction.arguments());
        String first = words.isEmpty() ? "" : words.get(0);
        if (first.startsWith("--") || first.startsWith("[") || first.contains("<<")) {
            refuse(instruction, instruction.name() + " with " + first + " is unsupported");
            return;
        }
        if (words.size() < 2) {
            refuse(instruction, instruction.name() + " needs a source and a target");
            return;
        }
        String target = expand(words.get(words.size() - 1));
        List<String> sources = words.subList(0, words.size() - 1);
        String path = resolve(target);
        boolean folder = target.endsWith("/") || sources.size() > 1 || folders.contains(path);
        List<SandboxFile> placed = new ArrayList<>();
        for (String source : sources) {
            placed.addAll(place(instruction, source, path, folder));
        }
        steps.add(
                new EnvironmentPlan.Step(
                        instruction.line(), List.copyOf(placed), "", path, Map.of()));
    }

    private List<SandboxFile> place(
            Instruction instruction, String source, String target, boolean intoFolder) {
        String name = Path.of("/").relativize(Path.of("/", source).normalize()).toString();
        if (source.contains("://")) {
            refuse(instruction, "a download is unsupported: " + source);
            return List.of();
        }
        if (source.contains("*") || source.contains("?")) {
            refuse(instruction, "a pattern is unsupported: " + source);
            return List.of();
        }
        Optional<SandboxFile> single = find(name);
        if (single.isPresent()) {
            String base = name.substring(name.lastIndexOf('/') + 1);
            return List.of(at(intoFolder ? target + "/" + base : target, single.get()));
        }
        String prefix = name.isEmpty() ? "" : name + "/";
        List<SandboxFile> placed = new ArrayList<>();
        for (SandboxFile one : context) {
            if (one.path().startsWith(prefix)) {
                placed.add(at(target + "/" + one.path().substring(prefix.length()), one));
            }
        }
        if (placed.isEmpty()) {
            refuse(instruction, "there is no '" + source + "' in environment/");
        }
        folders.add(target);
        return placed;
    }

    private Optional<SandboxFile> find(String path) {
        return context.stream().filter(one -> one.path().equals(path)).findFirst();
    }

    private static SandboxFile at(String absolute, SandboxFile file) {
        String path = Path.of("/").relativize(Path.of(absolute).normalize()).toString();
        return new SandboxFile(path, file.content(), file.executable());
    }

    private String resolve(String path) {
        return Path.of(workdir.isEmpty() ? "/" : workdir).resolve(path).normalize().toString();
    }

    private String expand(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        environment.getOrDefault(found.group(1), "")));
    }

    private void refuse(Instruction instruction, String message) {
        problems.add(
                new HarborProblem(
                        file.toString(),
                        "line " + instruction.line(),
                        message,
                        "only FROM, WORKDIR, ENV, RUN and COPY or ADD of local files can be"
                                + " followed on this host"));
    }
}
