package dev.millrace.jobs;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.RecipeOptions;
import dev.millrace.jobs.cluster.ClusterFacts;
import dev.millrace.jobs.cluster.ClusterFit;
import dev.millrace.jobs.cluster.JobManagerAway;
import dev.millrace.jobs.launch.FlinkDefaults;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.launch.RunPreparation;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A training run on a Flink cluster: the main class for {@code flink run}. */
@Command(
        name = "TrainJob",
        mixinStandardHelpOptions = true,
        description = "Trains by a recipe on the Flink cluster that it is submitted to.")
public final class TrainJob {
    private final PrintStream out;

    @Option(names = "--recipe", paramLabel = "FILE", description = "Settings of the run, YAML.")
    private Path recipeFile;

    @Mixin private RecipeOptions options;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "URI",
            description = "Folder of the run, which all machines of the cluster see.")
    private String output;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Short-lived files of sandboxes, on each machine its own.")
    private String scratch =
            Path.of(System.getProperty("java.io.tmpdir"), "millrace-scratch").toString();

    @Option(
            names = "--resume",
            description = "Go on with the run in --output, with its own recipe when none is given.")
    private boolean resume;

    TrainJob(PrintStream out) {
        this.out = out;
    }

    /**
     * Prepares the run and submits its job.
     *
     * @throws BadInputException when arguments, settings or the cluster are refused; says why
     */
    public static void main(String[] arguments) throws Exception {
        try {
            run(new TrainJob(System.out), arguments);
        } catch (BadInputException e) {
            // Flink prints it too, deep in a stack trace.
            System.err.println(e.getMessage());
            throw e;
        }
    }

    private static void run(TrainJob job, String... arguments) throws Exception {
        CommandLine line = new CommandLine(job).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            line.parseArgs(arguments);
        } catch (CommandLine.ParameterException e) {
            throw new BadInputException(e.getMessage() + "; --help lists the options");
        }
        if (!CommandLine.printHelpIfRequested(line.getParseResult())) {
            job.submit();
        }
    }

    private void submit() throws Exception {
        RunFolder folder = new RunFolder(folder(output));
        Recipe recipe = recipe(folder);
        StreamExecutionEnvironment surrounding =
                StreamExecutionEnvironment.getExecutionEnvironment();
        List<String> refusals = refusals(recipe, folder, surrounding.getConfiguration());
        if (!refusals.isEmpty()) {
            throw new BadInputException("The run can't start:", refusals);
        }
        Files.createDirectories(folder.root());
        Files.writeString(folder.root().resolve(OutputFolderCheck.CONFIG), recipe.toYaml());
        RunPreparation preparation = prepare(recipe, folder);
        RunPlan plan = preparation.plan(recipe.kafka().bootstrap());
        Optional<Path> restore = preparation.restore(plan);
        Configuration configuration =
                FlinkDefaults.job(
                        recipe.flink(),
                        folder.checkpoints().toUri().toString(),
                        folder.savepoints().toUri().toString(),
                        restore.map(path -> path.toUri().toString()));
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        FlinkDefaults.build(env, plan);
        out.println("run " + plan.runId() + ", folder " + folder.root());
        env.execute(plan.runId());
    }

    private RunPreparation prepare(Recipe recipe, RunFolder folder) throws Exception {
        try {
            RunPreparation preparation =
                    RunPreparation.of(recipe, folder, scratch, resume, out::println);
            preparation.identify();
            return preparation;
        } catch (HarborTaskException e) {
            throw new BadInputException(e.getMessage());
        }
    }

    private Recipe recipe(RunFolder folder) {
        Path config = folder.root().resolve(OutputFolderCheck.CONFIG);
        try {
            if (recipeFile != null) {
                return options.read(recipeFile);
            }
            if (!resume) {
                throw new BadInputException("which recipe? Give --recipe FILE");
            }
            return options.readResolved(config);
        } catch (SettingsException e) {
            throw new BadInputException(
                    "Settings refused:",
                    e.problems().stream().map(Object::toString).collect(Collectors.toList()));
        }
    }

    private List<String> refusals(Recipe recipe, RunFolder folder, ReadableConfig flink) {
        List<String> refusals = new ArrayList<>();
        new OutputFolderCheck(folder.root(), resume).refusal().ifPresent(refusals::add);
        if (recipe.kafka().embedded()) {
            refusals.add(
                    "kafka.bootstrap is embedded: give the brokers that all machines reach, for"
                            + " instance --set kafka.bootstrap=host:9092");
        }
        if ("remote".equals(flink.get(DeploymentOptions.TARGET))) {
            String address =
                    "http://" + flink.get(RestOptions.ADDRESS) + ":" + flink.get(RestOptions.PORT);
            try {
                refusals.addAll(ClusterFit.refusals(recipe, ClusterFacts.read(address)));
            } catch (JobManagerAway e) {
                refusals.add("no JobManager answers at " + address);
            }
        }
        return refusals;
    }

    private static Path folder(String output) {
        if (!output.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            return Path.of(output);
        }
        if (!output.startsWith("file:/")) {
            throw new BadInputException(
                    "--output "
                            + output
                            + " must be a folder that all machines see, as a path or a file:/"
                            + " URI: the embedded policy keeps its files there");
        }
        try {
            return Path.of(URI.create(output));
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--output " + output + ": " + e.getMessage());
        }
    }
}
