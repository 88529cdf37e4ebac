package dev.millrace.jobs.cli;

import dev.millrace.jobs.view.DisplayStyle;
import dev.millrace.pipeline.settings.Recipe;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * A run that was asked for, checked and ready to start: its output folder exists and holds {@code
 * config.yaml}.
 *
 * @param recipe all settings
 * @param output folder of the run
 * @param resume whether it goes on from an earlier start
 * @param restartTasks whether a resumed run may be given other tasks than it plays
 * @param smoke whether it is only to show that everything works
 * @param style how the run may be drawn
 * @param out where it is drawn
 */
public record RunRequest(
        Recipe recipe,
        Path output,
        boolean resume,
        boolean restartTasks,
        boolean smoke,
        DisplayStyle style,
        PrintStream out) {}
