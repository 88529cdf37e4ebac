package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds out which files a COPY or ADD puts where. */
final class CopyPlacement {
    /** Those that change nothing where all files belong to one user. */
    private static final Set<String> KNOWN_FLAGS = Set.of("chown", "chmod", "link");

    private static final Pattern OCTAL = Pattern.compile("[0-7]{3,4}");
    private static final Pattern ARCHIVE = Pattern.compile(".*\\.(tar|tar\\.\\w+|tgz|tbz2|txz)");
    private static final int OWNER_EXECUTES = 0100;

    private final ContextFiles context;
    private final DockerfileStage stage;
    private final List<String> problems = new ArrayList<>();

    CopyPlacement(ContextFiles context, DockerfileStage stage) {
        this.context = context;
        this.stage = stage;
    }

    /** What could not be followed. */
    List<String> problems() {
        return problems;
    }

    /**
     * Files with their paths from the root.
     *
     * @param add whether it is an ADD, which does more than copying
     */
    List<SandboxFile> place(CopyInstruction copy, boolean add) {
        for (String flag : copy.flags().keySet()) {
            if (!KNOWN_FLAGS.contains(flag)) {
                String value = copy.flags().get(flag);
                problems.add(
                        "--" + flag + (value.isEmpty() ? "" : "=" + value) + " is unsupported");
            }
        }
        String mode = copy.flags().getOrDefault("chmod", "");
        if (!mode.isEmpty() && !OCTAL.matcher(mode).matches()) {
            problems.add("--chmod=" + mode + " is not octal");
        }
        if (!problems.isEmpty()) {
            return List.of();
        }
        String target = stage.expand(copy.target());
        String path = stage.resolve(target);
        boolean folder =
                target.endsWith("/") || copy.sources().size() > 1 || stage.folders.contains(path);
        List<SandboxFile> placed = new ArrayList<>();
        for (String source : copy.sources()) {
            placed.addAll(place(stage.expand(source), path, folder, add));
        }
        return placed.stream().map(file -> withMode(file, mode)).toList();
    }

    private List<SandboxFile> place(String source, String target, boolean intoFolder, boolean add) {
        if (source.contains("://") || source.startsWith("git@")) {
            problems.add("a download is unsupported: " + source);
            return List.of();
        }
        if (source.startsWith("<<")) {
            problems.add("a here-document is unsupported: " + source);
            return List.of();
        }
        List<SandboxFile> placed = new ArrayList<>();
        boolean pattern = ContextFiles.isPattern(source);
        for (String name : context.named(source)) {
            if (add && ARCHIVE.matcher(name).matches() && context.file(name).isPresent()) {
                problems.add("ADD would unpack the archive " + name + ", which is unsupported");
            }
            placed.addAll(one(name, target, intoFolder || pattern));
        }
        if (placed.isEmpty()) {
            problems.add("there is no '" + source + "' in environment/");
        }
        return placed;
    }

    private List<SandboxFile> one(String name, String target, boolean intoFolder) {
        List<SandboxFile> placed = new ArrayList<>();
        context.file(name)
                .ifPresentOrElse(
                        single -> {
                            String base = name.substring(name.lastIndexOf('/') + 1);
                            String path = intoFolder ? target + "/" + base : target;
                            placed.add(EnvironmentReader.at(path, single));
                        },
                        () -> {
                            for (SandboxFile below : context.below(name)) {
                                String path = target + "/" + below.path();
                                placed.add(EnvironmentReader.at(path, below));
                            }
                            stage.folders.add(target);
                        });
        return placed;
    }

    private static SandboxFile withMode(SandboxFile file, String mode) {
        return mode.isEmpty()
                ? file
                : new SandboxFile(
                        file.path(),
                        file.content(),
                        (Integer.parseInt(mode, 8) & OWNER_EXECUTES) != 0);
    }
}
