package dev.millrace.jobs.cli;

import dev.millrace.jobs.dataset.DatasetCommand;
import dev.millrace.jobs.dataset.ProbeCommand;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Entry point of {@code bin/millrace}. */
public final class Main {
    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(Console.standard(), Main::launcher, arguments));
    }

    /** Runs a command. */
    static int execute(Console console, Supplier<RunLauncher> launcher, String... arguments) {
        CommandLine line =
                new CommandLine(new MillraceCommand())
                        .addSubcommand(new DemoCommand(console, launcher))
                        .addSubcommand(new TrainCommand(console, launcher))
                        .addSubcommand(new ValidateCommand(console, launcher))
                        .addSubcommand(DatasetCommand.of(console.out()))
                        .addSubcommand(new ProbeCommand(console.out()))
                        .addSubcommand(new SummarizeCommand(console))
                        .addSubcommand(new ExportCommand(console))
                        .addSubcommand(new ReapCommand(console, launcher))
                        .addSubcommand(new PullImageCommand(console))
                        .addSubcommand(new SettingsCommand(console));
        return line.setOut(Errors.writer(console.out()))
                .setErr(Errors.writer(console.err()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new Errors(console))
                .setExecutionExceptionHandler(new Errors(console))
                .execute(arguments);
    }

    private static RunLauncher launcher() {
        return ServiceLoader.load(RunLauncher.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no RunLauncher on the class path"));
    }
}
