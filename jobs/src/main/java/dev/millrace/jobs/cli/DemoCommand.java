package dev.millrace.jobs.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the demo recipe on this machine. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Trains a small policy on this machine, nothing else needed: broker, cluster and"
                        + " policy run in one process, tasks in sandboxes.")
final class DemoCommand implements Callable<Integer> {
    /** Set by the start script: where the project lies. */
    private static final String HOME = "millrace.home";

    private final Console console;
    private final Supplier<RunLauncher> launcher;

    @Mixin private RunStart start;

    DemoCommand(Console console, Supplier<RunLauncher> launcher) {
        this.console = console;
        this.launcher = launcher;
    }

    @Override
    public Integer call() throws Exception {
        Path recipe = Path.of(System.getProperty(HOME, ".")).resolve("recipes/demo.yaml");
        return start.launch(
                start.resumes() ? Optional.empty() : Optional.of(recipe), console, launcher);
    }
}
