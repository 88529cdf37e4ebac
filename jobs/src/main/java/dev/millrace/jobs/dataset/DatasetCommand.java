package dev.millrace.jobs.dataset;

import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that have to do with datasets. */
@Command(
        name = "dataset",
        mixinStandardHelpOptions = true,
        description = "Makes datasets of published rows, checks them and chooses from them.")
public final class DatasetCommand implements Runnable {
    @Spec private CommandSpec spec;

    private DatasetCommand() {}

    /**
     * With all commands below it.
     *
     * @param out takes what they say
     */
    public static CommandLine of(PrintStream out) {
        return new CommandLine(new DatasetCommand())
                .addSubcommand(new PrepareCommand(out))
                .addSubcommand(new CheckCommand(out))
                .addSubcommand(new GradeCommand(out))
                .addSubcommand(new MixedCommand(out));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "which command? One of "
                        + String.join(", ", spec.commandLine().getSubcommands().keySet()));
    }
}
