package dev.millrace.jobs.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a recipe. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        description = "Trains by a recipe on this machine.")
final class TrainCommand implements Callable<Integer> {
    private final Console console;
    private final Supplier<RunLauncher> launcher;

    @Option(
            names = "--recipe",
            paramLabel = "FILE",
            description = "Settings of the run, YAML; every key is explained in docs/config.md.")
    private Path recipe;

    @Mixin private RunStart start;

    TrainCommand(Console console, Supplier<RunLauncher> launcher) {
        this.console = console;
        this.launcher = launcher;
    }

    @Override
    public Integer call() throws Exception {
        return start.launch(Optional.ofNullable(recipe), console, launcher);
    }
}
