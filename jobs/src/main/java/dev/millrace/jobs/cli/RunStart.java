package dev.millrace.jobs.cli;

import dev.millrace.jobs.preflight.Check;
import dev.millrace.jobs.preflight.FreeDiskCheck;
import dev.millrace.jobs.preflight.JavaVersionCheck;
import dev.millrace.jobs.preflight.LocalSettingsCheck;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.jobs.preflight.PolicyServerCheck;
import dev.millrace.jobs.preflight.Preflight;
import dev.millrace.jobs.preflight.TaskFolderCheck;
import dev.millrace.jobs.preflight.WebPortCheck;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that start a run, and what they do before it starts. */
final class RunStart {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Mixin private RecipeOptions recipeOptions;
    @Mixin private ResumeOptions resumeOptions;

    @Mixin private LengthOptions length;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Folder of the run. Default: runs/NAME-DATE-TIME.")
    private Path output;

    /**
     * Checks everything, makes the output folder and starts the run.
     *
     * @param recipeFile the recipe, or nothing when only a resumed run is asked for
     */
    int launch(Optional<Path> recipeFile, Console console, Supplier<RunLauncher> launchers)
            throws SettingsException, IOException {
        boolean resume = resumeOptions.resume();
        boolean restartTasks = resumeOptions.restartTasks();
        Recipe recipe = recipe(recipeFile);
        Path folder = output != null ? output : byDefault(recipe);
        RunLauncher launcher = launchers.get();
        List<Check> checks = new ArrayList<>(checks(recipe, launcher));
        checks.add(0, new OutputFolderCheck(folder, resume));
        checks.add(new FreeDiskCheck(folder, recipe.limits().minFreeDiskMb()));
        List<String> refusals = Preflight.refusals(checks);
        if (!refusals.isEmpty()) {
            throw new BadInputException("The run can't start:", refusals);
        }
        Files.createDirectories(folder);
        if (!resume) {
            Files.writeString(
                    folder.resolve(OutputFolderCheck.CONFIG),
                    recipe.toYaml(),
                    StandardCharsets.UTF_8);
        }
        LogFile.in(folder);
        return launcher.run(
                new RunRequest(
                        recipe,
                        folder,
                        resume,
                        restartTasks,
                        recipeOptions.smoke(),
                        console.style(),
                        console.out()));
    }

    /** Checks that don't depend on the output. */
    static List<Check> checks(Recipe recipe, RunLauncher launcher) {
        return List.of(
                JavaVersionCheck.running(),
                new LocalSettingsCheck(recipe),
                new TaskFolderCheck(recipe.tasks(), recipe.sandbox().imageMapping()),
                new PolicyServerCheck(recipe),
                new WebPortCheck(recipe.flink().webPort()),
                () -> launcher.sandboxRefusal(recipe));
    }

    boolean resumes() {
        return resumeOptions.resume();
    }

    private Recipe recipe(Optional<Path> file) throws SettingsException {
        boolean resume = resumeOptions.resume();
        if (resume && output == null) {
            throw new BadInputException("--resume needs --output DIR: the folder of the run");
        }
        if (resume && file.isEmpty()) {
            Optional<String> refusal = new OutputFolderCheck(output, true).refusal();
            if (refusal.isPresent()) {
                throw new BadInputException(refusal.get());
            }
            return recipeOptions.readResolved(output.resolve(OutputFolderCheck.CONFIG), length);
        }
        Path recipe =
                file.orElseThrow(
                        () ->
                                new BadInputException(
                                        "which recipe? Give --recipe FILE, for instance"
                                                + " recipes/demo.yaml"));
        return recipeOptions.read(recipe, length);
    }

    private static Path byDefault(Recipe recipe) {
        return Path.of(
                "runs",
                recipe.run().name()
                        + "-"
                        + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP));
    }
}
