package dev.millrace.bench.soak;

import dev.millrace.bench.sandbox.SandboxesCommand;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Benchmarks. */
@Command(
        name = "millrace bench",
        mixinStandardHelpOptions = true,
        description = "Measures Millrace on this machine.")
public final class BenchCommand implements Runnable {
    @Spec private CommandSpec spec;

    /** Runs a benchmark and ends the process. */
    public static void main(String[] arguments) {
        System.exit(line(System.out).execute(arguments));
    }

    static CommandLine line(PrintStream out) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new RecoveryCommand(out))
                .addSubcommand(new PacingCommand(out))
                .addSubcommand(new ClientsCommand(out))
                .addSubcommand(new SandboxesCommand(out))
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Which benchmark? There are: recovery, pacing, clients, sandboxes");
    }
}
