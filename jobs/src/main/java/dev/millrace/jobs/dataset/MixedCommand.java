package dev.millrace.jobs.dataset;

import dev.millrace.backends.dataset.DatasetException;
import dev.millrace.backends.dataset.MixedSubset;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Chooses the tasks that a probe found worth training on. */
@Command(
        name = "mixed",
        mixinStandardHelpOptions = true,
        description =
                "Makes the subset of the tasks that some of a probe's attempts solved and others"
                        + " did not, closest to half first.")
final class MixedCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(names = "--dataset-root", required = true, paramLabel = "DIR", description = "Dataset.")
    private Path root;

    @Option(
            names = "--source",
            required = true,
            paramLabel = "SUBSET",
            description = "Subset to choose from, for instance train-300.")
    private String source;

    @Option(
            names = "--recipe",
            defaultValue = "qwen3-6-27b-agentic",
            description = "What the subset is for; part of its name. Default: ${DEFAULT-VALUE}.")
    private String recipe;

    @Option(names = "--n-samples", defaultValue = "8", description = "Attempts at each task.")
    private int samples;

    @Option(
            names = "--probe-dump",
            required = true,
            paramLabel = "FILE",
            description = "What probe wrote.")
    private Path dump;

    @Option(
            names = "--checkpoint",
            defaultValue = "base",
            description = "Which policy was probed. Default: base.")
    private String checkpoint;

    @Option(names = "--replace", description = "Replace a subset of that name.")
    private boolean replace;

    MixedCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (samples < 2) {
            throw new BadInputException("--n-samples must be at least 2, or nothing can be mixed");
        }
        try {
            MixedSubset.Made made =
                    new MixedSubset(root, source, recipe, samples, dump, checkpoint, replace)
                            .make();
            out.printf(Locale.ROOT, "%d tasks in %s%n", made.tasks(), made.file());
            return ExitCode.OK;
        } catch (DatasetException e) {
            throw new BadInputException(e.getMessage());
        }
    }
}
