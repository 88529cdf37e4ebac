package dev.millrace.jobs.cli;

import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that shape a recipe. */
public final class RecipeOptions {
    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random choices.")
    private Long seed;

    @Option(
            names = "--set",
            paramLabel = "section.key=value",
            description = "Replaces a setting of the recipe; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = {"--smoke", "--smoke-test"},
            description =
                    "A few steps only, to see that everything works: lays RECIPE-smoke.yaml over"
                            + " the recipe.")
    private boolean smoke;

    boolean smoke() {
        return smoke;
    }

    /** Reads the recipe with everything that the command line lays over it. */
    public Recipe read(Path file) throws SettingsException {
        return read(file, new LengthOptions());
    }

    /** The same, with short names of some settings; {@code --set} has the last word. */
    public Recipe read(Path file, LengthOptions length) throws SettingsException {
        List<Path> layers = new ArrayList<>(List.of(file));
        if (smoke) {
            String name = file.getFileName().toString();
            layers.add(file.resolveSibling(name.replaceFirst("\\.ya?ml$", "") + "-smoke.yaml"));
        }
        return RecipeReader.read(layers, allOverrides(length));
    }

    /** A recipe of nothing but some settings, with those of the command line over them. */
    Recipe over(List<String> settings) throws SettingsException {
        List<String> all = new ArrayList<>(settings);
        all.addAll(allOverrides(new LengthOptions()));
        return RecipeReader.read(List.of(), all);
    }

    /** Reads a recipe that was already resolved: the smoke recipe is in it. */
    public Recipe readResolved(Path file, LengthOptions length) throws SettingsException {
        return RecipeReader.read(List.of(file), allOverrides(length));
    }

    private List<String> allOverrides(LengthOptions length) {
        List<String> all = length.overrides();
        all.addAll(overrides);
        if (seed != null) {
            all.add("run.seed=" + seed);
        }
        return all;
    }
}
