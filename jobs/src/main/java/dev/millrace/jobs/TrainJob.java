package dev.millrace.jobs;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.cli.LengthOptions;
import dev.millrace.jobs.cli.RecipeOptions;
import dev.millrace.jobs.cli.ResumeOptions;
import dev.millrace.jobs.cluster.ClusterFit;
import dev.millrace.jobs.cluster.ClusterWait;
import dev.millrace.jobs.cluster.JobManagerAway;
import dev.millrace.jobs.launch.FlinkDefaults;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.jobs.launch.KafkaProperties;
import dev.millrace.jobs.launch.OutputUri;
import dev.millrace.jobs.launch.RemoteFiles;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.launch.RunPreparation;
import dev.millrace.jobs.launch.RunTopics;
import dev.millrace.jobs.preflight.KafkaCheck;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicsRefusedException;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.PrintStream;
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
    /** What Flink's client calls a cluster that is there already. */
    private static final String REMOTE = "remote";

    private final PrintStream out;

    @Option(names = "--recipe", paramLabel = "FILE", description = "Settings of the run, YAML.")
    private Path recipeFile;

    @Mixin private RecipeOptions options;
    @Mixin private ResumeOptions resumeOptions;

    @Mixin private LengthOptions length;

    @Option(
            names = "--output",
            required = true,
            paramLabel = "URI",
            description = "Folder of the run that all machines see: a path, or s3a://bucket/run.")
    private String output;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Short-lived files of sandboxes, on each machine its own.")
    private String scratch =
            Path.of(System.getProperty("java.io.tmpdir"), "millrace-scratch").toString();

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
            System.err.println(e.getMessage());
            if (calledByClient()) {
                // Flink's client would print it again, deep in a stack trace, and exit with 1.
                System.exit(ExitCode.BAD_INPUT);
            }
            throw e;
        }
    }

    /** Not so where a JobManager runs this class itself. */
    private static boolean calledByClient() {
        ReadableConfig flink =
                StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration();
        return REMOTE.equals(flink.get(DeploymentOptions.TARGET));
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
        resumeOptions.restartTasks();
        RunFolder folder = OutputUri.folder(output);
        RemoteFiles remote = new RemoteFiles(folder);
        if (folder.remote()) {
            remote.fetch();
        }
        try {
            submit(folder, remote);
        } finally {
            if (folder.remote()) {
                FolderRemoval.remove(folder.root());
            }
        }
    }

    private void submit(RunFolder folder, RemoteFiles remote) throws Exception {
        Recipe recipe = recipe(folder);
        StreamExecutionEnvironment surrounding =
                StreamExecutionEnvironment.getExecutionEnvironment();
        List<String> refusals = refusals(recipe, folder, surrounding.getConfiguration());
        if (!refusals.isEmpty()) {
            throw new BadInputException("The run can't start:", refusals);
        }
        Files.createDirectories(folder.root());
        if (!resumeOptions.resume()) {
            Files.writeString(folder.root().resolve(OutputFolderCheck.CONFIG), recipe.toYaml());
        }
        RunPreparation preparation = prepare(recipe, folder, remote);
        RunPlan plan = plan(preparation, KafkaProperties.cluster(recipe.kafka()));
        Optional<String> restore = preparation.restore(plan, resumeOptions.restartTasks());
        if (folder.remote()) {
            remote.put(OutputFolderCheck.CONFIG);
        }
        Configuration configuration =
                FlinkDefaults.job(
                        recipe.flink(), folder.checkpointsUri(), folder.savepointsUri(), restore);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        FlinkDefaults.build(env, plan);
        out.println("run " + plan.runId() + ", folder " + folder.shared());
        env.execute(plan.runId());
    }

    private static RunPlan plan(RunPreparation preparation, KafkaCluster cluster) {
        try {
            return preparation.plan(cluster);
        } catch (TopicsRefusedException e) {
            throw new BadInputException(e.getMessage());
        }
    }

    private RunPreparation prepare(Recipe recipe, RunFolder folder, RemoteFiles remote)
            throws Exception {
        try {
            RunPreparation preparation =
                    RunPreparation.of(
                            recipe, folder, scratch, resumeOptions.resume(), out::println);
            if (folder.remote()) {
                remote.putTasks();
            }
            preparation.identify();
            if (folder.remote()) {
                remote.put(folder.identity().getFileName().toString());
            }
            return preparation;
        } catch (HarborTaskException e) {
            throw new BadInputException(e.getMessage());
        }
    }

    private Recipe recipe(RunFolder folder) {
        Path config = folder.root().resolve(OutputFolderCheck.CONFIG);
        try {
            if (recipeFile != null) {
                return options.read(recipeFile, length);
            }
            if (!resumeOptions.resume()) {
                throw new BadInputException("which recipe? Give --recipe FILE");
            }
            return options.readResolved(config, length);
        } catch (SettingsException e) {
            throw new BadInputException(
                    "Settings refused:",
                    e.problems().stream().map(Object::toString).collect(Collectors.toList()));
        }
    }

    private List<String> refusals(Recipe recipe, RunFolder folder, ReadableConfig flink) {
        List<String> refusals = new ArrayList<>();
        new OutputFolderCheck(folder.root(), resumeOptions.resume())
                .refusal()
                .ifPresent(refusals::add);
        if (recipe.kafka().embedded()) {
            refusals.add(
                    "kafka.bootstrap is embedded: give the brokers that all machines reach, for"
                            + " instance --set kafka.bootstrap=host:9092");
        } else {
            refusals.addAll(kafkaRefusals(recipe));
        }
        if (REMOTE.equals(flink.get(DeploymentOptions.TARGET))) {
            String address =
                    "http://" + flink.get(RestOptions.ADDRESS) + ":" + flink.get(RestOptions.PORT);
            try {
                ClusterWait wait = ClusterWait.forRun(recipe, out, !refusals.isEmpty());
                refusals.addAll(ClusterFit.refusals(recipe, wait.facts(address)));
            } catch (JobManagerAway e) {
                refusals.add("no JobManager answers at " + address);
            }
        }
        return refusals;
    }

    private List<String> kafkaRefusals(Recipe recipe) {
        KafkaCluster cluster = KafkaProperties.cluster(recipe.kafka());
        return new KafkaCheck(cluster)
                .refusal()
                .map(List::of)
                .orElseGet(() -> RunTopics.refusals(cluster, recipe, resumeOptions.resume()));
    }
}
