package dev.millrace.bench.soak;

import dev.millrace.pipeline.settings.SettingsException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** What every command that runs on a {@link SoakStage} is told. */
final class StageOptions {
    @Option(names = "--seed", paramLabel = "N", description = "Seed of work and kills. Default: 1.")
    long seed = 1;

    @Option(
            names = "--recipe",
            paramLabel = "FILE",
            description = "Default: the command's own in bench/recipes.")
    Path recipe = Path.of(System.getProperty("millrace.home", "."), "bench/recipes/soak.yaml");

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Replaces a setting.")
    List<String> overrides = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Folder of logs and topics. Default: one of its own in runs/.")
    private Path output;

    /** The folder that was asked for, or else a new one. */
    Path folder(String command) {
        Path chosen =
                output == null
                        ? Path.of("runs", command + "-" + System.currentTimeMillis())
                        : output;
        return chosen.toAbsolutePath().normalize();
    }

    /**
     * The recipe for a run of so many steps.
     *
     * @throws SettingsException when it can't be read
     */
    SoakPlan plan(Path folder, long steps) throws SettingsException {
        return new SoakPlan(recipe, overrides, folder, seed, steps);
    }
}
