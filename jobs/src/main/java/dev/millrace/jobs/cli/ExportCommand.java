package dev.millrace.jobs.cli;

import dev.millrace.jobs.export.ExportProgress;
import dev.millrace.jobs.export.ExportReport;
import dev.millrace.jobs.export.RunExport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a run in the format of other tools. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the attempts of a run as folders that other tools read, from its ledger and its"
                    + " trajectories. The run may still be going on: what is not in the ledger yet"
                    + " is left out."
        })
final class ExportCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "RUN_FOLDER", description = "Output folder of the run.")
    private Path run;

    @Option(
            names = "--format",
            required = true,
            paramLabel = "NAME",
            description = "harbor: job folders of Harbor, with ATIF trajectories.")
    private Format format;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Where to. Each run becomes a folder of its name in it.")
    private Path output;

    /** What to write. */
    enum Format {
        /** Job folders. */
        HARBOR
    }

    ExportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws Exception {
        List<ExportReport> reports =
                switch (format) {
                    case HARBOR ->
                            new RunExport(run, output, MillraceCommand.VERSION).harbor(new Lines());
                };
        for (ExportReport report : reports) {
            console.out()
                    .printf(
                            Locale.ROOT,
                            "%s: %d attempts (%d to train, %d to measure), %d without a valid"
                                    + " reward, %d without a trajectory%n",
                            report.folder(),
                            report.attempts(),
                            report.train(),
                            report.eval(),
                            report.invalid(),
                            report.withoutTrajectory());
        }
        console.out().println("Next: harbor view " + output);
        return ExitCode.OK;
    }

    /** A line every few seconds. */
    private final class Lines implements ExportProgress {
        private static final long EVERY = Duration.ofSeconds(5).toNanos();
        private long last = System.nanoTime();

        @Override
        public void attempt(long done, long total) {
            long now = System.nanoTime();
            if (now - last >= EVERY) {
                last = now;
                console.err().println(done + " of " + total + " attempts");
            }
        }
    }
}
