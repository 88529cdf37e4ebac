package dev.millrace.bench.soak;

import dev.millrace.pipeline.settings.SettingsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** What every command that runs on a {@link SoakStage} is told. */
final class StageOptions {
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;

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

    /** What is measured on a stage; its result is the command's exit code. */
    @FunctionalInterface
    interface Measurement {
        int on(SoakStage stage) throws IOException;
    }

    /**
     * Measures on a stage of its own.
     *
     * @param request what the stage is to be, in a folder
     * @return exit code of the command: 2 for a recipe that can't be read, 1 when nothing moves
     */
    int measure(
            String command,
            Function<Path, SoakRequest> request,
            PrintStream out,
            Measurement measurement)
            throws IOException {
        Path folder = folder(command);
        SoakRequest asked = request.apply(folder);
        SoakPlan plan;
        try {
            plan = plan(folder, asked.steps());
        } catch (SettingsException e) {
            out.println(e.getMessage());
            return BAD_INPUT;
        }
        Files.createDirectories(folder);
        out.println("everything is kept in " + folder);
        try (SoakStage stage = new SoakStage(plan, asked)) {
            try {
                return measurement.on(stage);
            } catch (StuckException e) {
                out.println("stuck " + e.getMessage());
                out.println(stage.whereToLook());
                return FAILED;
            }
        }
    }

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
