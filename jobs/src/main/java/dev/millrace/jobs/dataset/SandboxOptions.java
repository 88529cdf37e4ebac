package dev.millrace.jobs.dataset;

import dev.millrace.backends.bubblewrap.BubblewrapSettings;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.adapters.SandboxProviders;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SandboxSettings;
import dev.millrace.pipeline.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which sandboxes tasks of a dataset are played in, as a recipe would say it. */
final class SandboxOptions {
    private static final SandboxLimits USUAL = new SandboxLimits(2, 2048, 256, 512);
    private static final SandboxLimits MOST = new SandboxLimits(4, 4096, 512, 2048);
    private static final Pattern LIMIT =
            Pattern.compile("sandbox\\.(memoryMb|processes|diskMb|cpus)=.*", Pattern.DOTALL);

    @Option(
            names = "--set",
            paramLabel = "sandbox.key=value",
            description = "A setting of sandboxes, as in a recipe; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    /**
     * What is asked for; bubblewrap on this host's tool chain where nothing is.
     *
     * @throws BadInputException for settings of something else
     */
    SandboxSettings read() throws SettingsException {
        List<String> all = new ArrayList<>();
        all.add("run.name=dataset");
        all.add("train.steps=1");
        all.add("tasks.source=folder");
        all.add("tasks.path=tasks");
        for (String override : overrides) {
            if (!override.startsWith("sandbox.") || LIMIT.matcher(override).matches()) {
                throw new BadInputException(
                        "--set "
                                + override
                                + " has no effect here: it is for sandbox.provider, sandbox.images"
                                + " and the like, while limits are those of the tasks");
            }
            all.add(override);
        }
        return RecipeReader.read(List.of(), all).sandbox();
    }

    /** Makes them; the caller closes it. */
    static SandboxProvider open(SandboxSettings settings, Path scratch) {
        return SandboxProviders.open(settings, scratch, BubblewrapSettings.Shell.BASH);
    }

    /** Reads tasks for them, with limits that suit repositories. */
    static HarborTaskLoader loader(SandboxSettings settings) {
        return new HarborTaskLoader(USUAL, MOST, Map.of()).on(settings.imageMapping());
    }
}
