package dev.millrace.jobs.cli;

import dev.millrace.pipeline.settings.SettingsReference;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the reference of all settings. */
@Command(
        name = "settings",
        mixinStandardHelpOptions = true,
        description = "Prints the reference page of all settings.")
final class SettingsCommand implements Callable<Integer> {
    private final Console console;

    SettingsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        console.out().print(SettingsReference.markdown());
        return ExitCode.OK;
    }
}
