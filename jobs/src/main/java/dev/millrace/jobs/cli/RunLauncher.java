package dev.millrace.jobs.cli;

import dev.millrace.pipeline.settings.Recipe;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/** Starts runs. The command line finds its implementation as a service. */
public interface RunLauncher {

    /**
     * Runs to the end.
     *
     * @return one of {@link ExitCode}
     */
    int run(RunRequest request);

    /** Why sandboxes can't be had here and what to do about it, or nothing when they can. */
    Optional<String> sandboxRefusal(Recipe recipe);

    /**
     * Checks every task below a folder and reports on each.
     *
     * @param tasks folder of Harbor tasks
     * @param recipe says which variables tasks may name, and how sandboxes are made
     * @param out takes the report
     * @return one of {@link ExitCode}: FAILED when a task is not fit for use
     * @throws BadInputException when there is nothing to check or sandboxes can't be had
     */
    int validate(Path tasks, Recipe recipe, PrintStream out);

    /**
     * Removes what killed runs have left on this host and says what it was.
     *
     * @param owner run id; empty for all runs
     * @param out takes the report
     * @return one of {@link ExitCode}
     */
    int reap(Optional<String> owner, PrintStream out);
}
