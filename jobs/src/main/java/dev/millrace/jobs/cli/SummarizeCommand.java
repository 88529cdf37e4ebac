package dev.millrace.jobs.cli;

import dev.millrace.jobs.local.LedgerSummary;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.jobs.view.RunSummary;
import dev.millrace.jobs.view.SummaryText;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sums up a run from what it wrote. */
@Command(
        name = "summarize",
        mixinStandardHelpOptions = true,
        description = "Sums up a run from its ledger and writes its summary.json anew.")
final class SummarizeCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            required = true,
            description = "Folder of the run.")
    private Path output;

    SummarizeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        Path config = output.resolve(OutputFolderCheck.CONFIG);
        if (!Files.isRegularFile(config) || !Files.isRegularFile(output.resolve("run.json"))) {
            throw new BadInputException(
                    output + " holds no run: a run's folder has config.yaml and run.json");
        }
        Recipe recipe = RecipeReader.read(List.of(config), List.of());
        LedgerSummary ledger = new LedgerSummary(output, recipe);
        List<RunSummary> summaries = ledger.read();
        for (RunSummary summary : summaries) {
            ledger.write(summary);
            if (summaries.size() == 1) {
                SummaryText.lines(summary, output, console.style()).forEach(console.out()::println);
            } else {
                console.out().println(SummaryText.line(summary));
            }
        }
        return ExitCode.OK;
    }
}
