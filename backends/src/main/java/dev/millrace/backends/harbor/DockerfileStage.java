package dev.millrace.backends.harbor;

import dev.millrace.backends.image.ImageConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the instructions of one stage have come to so far. */
final class DockerfileStage {
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    final String image;
    final Map<String, String> environment = new LinkedHashMap<>();
    final Map<String, String> arguments = new HashMap<>();
    final List<EnvironmentPlan.Step> steps = new ArrayList<>();
    final Set<String> folders = new HashSet<>();
    List<String> shell = List.of();
    String workdir;
    String user;
    private final Map<String, String> inherited = new HashMap<>();

    /** Begins with an image; an empty one stands for the provider's own tool chain. */
    DockerfileStage(String image, ImageConfig config) {
        this.image = image;
        this.workdir = config.workdir().equals("/") ? "" : config.workdir();
        this.user = "";
        if (!image.isEmpty()) {
            inherited.put("PATH", PATH);
            inherited.putAll(config.environment());
        }
    }

    /** Goes on where another stage ended. */
    DockerfileStage(DockerfileStage other) {
        this.image = other.image;
        this.workdir = other.workdir;
        this.user = other.user;
        this.shell = other.shell;
        environment.putAll(other.environment);
        steps.addAll(other.steps);
        folders.addAll(other.folders);
        inherited.putAll(other.inherited);
    }

    /** A text with the variables put in that it may name. */
    String expand(String text) {
        Map<String, String> all = new HashMap<>(inherited);
        all.putAll(arguments);
        all.putAll(environment);
        return VariableText.expand(text, all);
    }

    /** What a command finds set. */
    Map<String, String> variables() {
        Map<String, String> all = new HashMap<>(arguments);
        all.putAll(environment);
        return Map.copyOf(all);
    }

    String resolve(String path) {
        return Path.of(workdir.isEmpty() ? "/" : workdir).resolve(path).normalize().toString();
    }
}
