package dev.millrace.jobs.cli;

import picocli.CommandLine.Option;

/** Options of a run that goes on from an earlier start. */
public final class ResumeOptions {
    private static final String RESTART_TASKS = "--restart-tasks";

    @Option(
            names = "--resume",
            description = "Go on with the run in --output, with its own recipe when none is given.")
    private boolean resume;

    @Option(
            names = RESTART_TASKS,
            description =
                    "With --resume: when the recipe's training tasks are not those that the run"
                            + " plays, train on them from the beginning of their order.")
    private boolean restartTasks;

    /** Whether the run goes on from an earlier start. */
    public boolean resume() {
        return resume;
    }

    /**
     * Whether it may be given other tasks than it plays.
     *
     * @throws BadInputException when it is a new run, which plays none
     */
    public boolean restartTasks() {
        if (restartTasks && !resume) {
            throw new BadInputException(
                    RESTART_TASKS + " needs --resume: a new run plays no tasks");
        }
        return restartTasks;
    }
}
