package dev.millrace.jobs.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Removes what killed runs have left on this host. */
@Command(
        name = "reap",
        mixinStandardHelpOptions = true,
        description = {
            "Removes what sandboxes of killed processes have left on this host: processes, control"
                    + " groups, mounts and folders. What belongs to a live process is left alone.",
            "The next run that starts does the same."
        })
final class ReapCommand implements Callable<Integer> {
    private final Console console;
    private final Supplier<RunLauncher> launcher;

    @ArgGroup private Whose whose;

    /** One of the two. */
    private static final class Whose {
        @Option(
                names = "--owner",
                paramLabel = "RUN",
                description = "Only what this run has left; its id is in run.json.")
        private String owner;

        @Option(names = "--all", description = "What any run has left; the default.")
        private boolean all;
    }

    ReapCommand(Console console, Supplier<RunLauncher> launcher) {
        this.console = console;
        this.launcher = launcher;
    }

    @Override
    public Integer call() {
        Optional<String> owner =
                whose == null || whose.all ? Optional.empty() : Optional.ofNullable(whose.owner);
        return launcher.get().reap(owner, console.out());
    }
}
