package dev.millrace.jobs.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that holds all others. */
@Command(
        name = "millrace",
        mixinStandardHelpOptions = true,
        version = "Millrace " + MillraceCommand.VERSION,
        description = "Trains coding agents by reinforcement learning, as a stream.",
        footer = {
            "",
            "bin/millrace test runs the whole test suite.",
            "bin/millrace soak kills a simulated run again and again, and checks what is left.",
            "Exit codes: 0 all well, 1 the run failed, 2 the input was refused, 130 Ctrl-C."
        })
final class MillraceCommand implements Runnable {
    static final String VERSION = "0.1.0";

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? One of " + names());
    }

    private String names() {
        CommandLine line = spec.commandLine();
        return String.join(", ", line.getSubcommands().keySet());
    }
}
