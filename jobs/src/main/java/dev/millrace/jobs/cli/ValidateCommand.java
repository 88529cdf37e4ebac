package dev.millrace.jobs.cli;

import dev.millrace.jobs.preflight.Preflight;
import dev.millrace.pipeline.settings.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks a recipe and this machine, or a folder of tasks. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = {
            "With --recipe: checks a recipe and this machine, starts nothing, prints the whole"
                    + " recipe.",
            "With --tasks: plays every task below a folder twice in sandboxes. Its own solution"
                    + " must earn 1, doing nothing must not. Settings of sandboxes are given with"
                    + " --set."
        })
final class ValidateCommand implements Callable<Integer> {
    private final Console console;
    private final Supplier<RunLauncher> launcher;

    @ArgGroup(multiplicity = "1")
    private What what;

    @Mixin private RecipeOptions recipeOptions;

    @Option(
            names = "--variable",
            paramLabel = "NAME",
            description =
                    "Variable of this process that tasks may name in templates; may be repeated."
                            + " A recipe names them in tasks.variables.")
    private List<String> variables = List.of();

    /** One of the two. */
    private static final class What {
        @Option(names = "--recipe", paramLabel = "FILE", description = "Settings of the run, YAML.")
        private Path recipe;

        @Option(names = "--tasks", paramLabel = "DIR", description = "Folder of Harbor tasks.")
        private Path tasks;
    }

    ValidateCommand(Console console, Supplier<RunLauncher> launcher) {
        this.console = console;
        this.launcher = launcher;
    }

    @Override
    public Integer call() throws Exception {
        return what.tasks != null
                ? launcher.get().validate(what.tasks, ofTasks(what.tasks), console.out())
                : validate(what.recipe);
    }

    /** What a recipe would say that plays the tasks. */
    private Recipe ofTasks(Path folder) throws Exception {
        List<String> settings = new ArrayList<>();
        settings.add("run.name=validate");
        settings.add("train.steps=1");
        settings.add("tasks.source=folder");
        settings.add("tasks.path=" + folder);
        settings.add("tasks.variables=" + String.join(",", variables));
        return recipeOptions.over(settings);
    }

    private int validate(Path file) throws Exception {
        Recipe recipe = recipeOptions.read(file);
        List<String> refusals = Preflight.refusals(RunStart.checks(recipe, launcher.get()));
        if (!refusals.isEmpty()) {
            throw new BadInputException("A run could not start here:", refusals);
        }
        console.out().print(recipe.toYaml());
        return ExitCode.OK;
    }
}
