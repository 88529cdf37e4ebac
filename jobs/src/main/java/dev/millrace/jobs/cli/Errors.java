package dev.millrace.jobs.cli;

import dev.millrace.pipeline.settings.Problem;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Turns what went wrong into one clear message and an exit code. */
final class Errors
        implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    private final Console console;

    Errors(Console console) {
        this.console = console;
    }

    static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    @Override
    public int handleParseException(CommandLine.ParameterException wrong, String[] arguments) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        List<String> meant =
                CommandLine.UnmatchedArgumentException.class.isInstance(wrong)
                        ? ((CommandLine.UnmatchedArgumentException) wrong).getSuggestions()
                        : List.of();
        String hint = meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?";
        console.err().println(command + ": " + wrong.getMessage() + hint);
        console.err().println("Try: " + command + " --help");
        return ExitCode.BAD_INPUT;
    }

    @Override
    public int handleExecutionException(
            Exception failure, CommandLine line, CommandLine.ParseResult parsed) {
        if (failure instanceof SettingsException settings) {
            console.err().println("Settings refused:");
            for (Problem problem : settings.problems()) {
                console.err().println("  " + problem);
            }
            return ExitCode.BAD_INPUT;
        }
        if (failure instanceof BadInputException input) {
            console.err().println(input.getMessage());
            return ExitCode.BAD_INPUT;
        }
        LoggerFactory.getLogger(Errors.class).error("Command failed", failure);
        console.err().println("Failed: " + failure + logHint());
        return ExitCode.FAILED;
    }

    private static String logHint() {
        return LogFile.current().map(file -> "; see " + file).orElse("");
    }
}
