package dev.millrace.jobs.dataset;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.cli.RecipeOptions;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.jobs.launch.Probe;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.preflight.FreeDiskCheck;
import dev.millrace.jobs.preflight.LocalSettingsCheck;
import dev.millrace.jobs.preflight.Preflight;
import dev.millrace.jobs.preflight.TaskFolderCheck;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds out which training tasks a policy solves sometimes. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description =
                "Plays each training task of a recipe several times, at the temperature of training"
                        + " and without an update, and writes what it saw for dataset mixed.")
public final class ProbeCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(names = "--recipe", required = true, paramLabel = "FILE", description = "Settings.")
    private Path recipeFile;

    @Option(names = "--output", required = true, paramLabel = "DIR", description = "Result.")
    private Path output;

    @Option(names = "--n-samples", defaultValue = "8", description = "Attempts at each task.")
    private int samples;

    @Option(
            names = "--policy",
            defaultValue = "",
            paramLabel = "URI",
            description = "Published policy to play. Default: the one the recipe starts from.")
    private String policy;

    @Mixin private RecipeOptions options;

    /**
     * @param out takes what it says
     */
    public ProbeCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, SettingsException, InterruptedException {
        Recipe recipe = options.read(recipeFile);
        if (samples < 1) {
            throw new BadInputException("--n-samples " + samples + " is no number of attempts");
        }
        if (Files.exists(output)) {
            throw new BadInputException("--output " + output + " exists; give another");
        }
        List<String> refusals =
                Preflight.refusals(
                        List.of(
                                new LocalSettingsCheck(recipe),
                                new TaskFolderCheck(recipe.tasks()),
                                new FreeDiskCheck(output, recipe.limits().minFreeDiskMb())));
        if (!refusals.isEmpty()) {
            throw new BadInputException("The probe can't start:", refusals);
        }
        RunFolder folder = new RunFolder(output);
        Files.createDirectories(folder.scratch());
        try {
            Probe.Report report = new Probe(recipe, folder, samples, out::println).run(policy);
            out.printf(
                    Locale.ROOT,
                    "%d tasks, %d mixed, mean reward %.3f; dataset %s, dump %s%n",
                    report.tasks(),
                    report.mixed(),
                    report.reward(),
                    report.dataset(),
                    report.dump());
            return ExitCode.OK;
        } catch (HarborTaskException e) {
            throw new BadInputException(e.getMessage());
        } catch (SandboxException e) {
            throw new IOException("sandboxes failed: " + e.getMessage(), e);
        } finally {
            FolderRemoval.remove(folder.scratch());
        }
    }
}
