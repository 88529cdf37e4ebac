package dev.millrace.jobs.launch;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.preflight.OutputFolderCheck;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.pipeline.adapters.EmbeddedBackends;
import dev.millrace.pipeline.adapters.TinkerBackends;
import dev.millrace.pipeline.adapters.TinkerPolicy;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What happens before a run's job is submitted, wherever that job runs. */
public final class RunPreparation {
    private final Recipe recipe;
    private final RunFolder folder;
    private final boolean resume;
    private final EmbeddedBackends backends;
    private final TaskCatalogue pool;
    private final TaskCatalogue catalogue;
    private final CatalogueSettlement settlement;
    private final Consumer<String> progress;
    private final TinkerPolicy served;
    private RunIdentity identity;

    private RunPreparation(
            Recipe recipe,
            RunFolder folder,
            String scratch,
            boolean resume,
            Consumer<String> progress)
            throws IOException, HarborTaskException {
        this.recipe = recipe;
        this.folder = folder;
        this.resume = resume;
        this.progress = progress;
        this.backends =
                new EmbeddedBackends(
                        recipe, scratch, folder.policiesUri(), folder.trajectoriesUri());
        this.pool = TaskCatalogue.of(recipe, folder);
        this.catalogue = ChosenTasks.of(pool, recipe.tasks());
        this.settlement = new CatalogueSettlement(recipe.tasks(), catalogue);
        this.served =
                ServedPolicy.isAskedForBy(recipe)
                        ? ServedPolicy.of(recipe, catalogue, backends, progress)
                        : null;
    }

    /**
     * Draws or reads the tasks.
     *
     * @param folder of the run
     * @param scratch folder of short-lived files, on each machine its own
     * @param resume whether the run goes on from an earlier start
     * @param progress told, in a few words, what is being done
     * @throws HarborTaskException when tasks of a folder can't be used; names all of them
     * @throws BadInputException when the run that is resumed has nothing left to do, or was begun
     *     with settings that can't change
     */
    public static RunPreparation of(
            Recipe recipe,
            RunFolder folder,
            String scratch,
            boolean resume,
            Consumer<String> progress)
            throws IOException, HarborTaskException {
        if (resume) {
            EndedRun.refuse(folder, recipe.train().steps());
            FixedSettings.refuse(folder, recipe);
        }
        return new RunPreparation(recipe, folder, scratch, resume, progress);
    }

    /**
     * Gives the run its id and its initial policy, or finds those of an earlier start. Blocks.
     *
     * @throws SandboxException when the policy can't be warmed up
     */
    public void identify() throws IOException, SandboxException, InterruptedException {
        if (resume && Files.exists(folder.identity())) {
            identity = RunIdentity.read(folder.identity());
            return;
        }
        String runId = RunIdentity.newRunId(recipe.run().name());
        identity =
                (served == null
                                ? new InitialPolicy(recipe, backends, runId, progress).make(pool)
                                : new RunIdentity(
                                        runId, "", served.initialUri(), WarmUpReport.NONE))
                        .keeping(FixedSettings.of(recipe));
        identity.write(folder.identity());
    }

    /** The plan of an identified run; makes its topics where they are missing. */
    public RunPlan plan(KafkaCluster cluster) {
        TopicNames topics = new TopicNames(recipe.run().name());
        int partitions = RunTopics.partitions(cluster, recipe, resume);
        RunPlan plan =
                new RunPlan(
                        identity.runId(),
                        recipe,
                        cluster,
                        topics,
                        partitions,
                        folder.ledgerUri(),
                        identity.initialStateUri(),
                        identity.reference(),
                        served == null ? backends : new TinkerBackends(backends, served));
        Topics.ensure(cluster, plan.topics().specs(plan.turnsPartitions()));
        ClosedTopics.refuse(cluster, plan.topics().policies(), resume);
        return plan;
    }

    /**
     * What the job starts from. A first start writes the catalogue; a later one goes on from the
     * newest complete checkpoint or savepoint, and only now that nothing refuses it any more is its
     * recipe the one of the folder.
     *
     * @param restartTasks whether a resumed run may be given other tasks than it plays
     * @throws BadInputException when a run is resumed with other tasks and may not
     */
    public Optional<String> restore(RunPlan plan, boolean restartTasks) throws IOException {
        for (PlannedRun planned : plan.runs()) {
            RunPlace run = new RunPlace(plan.kafka(), plan.topics(), planned.runId());
            if (resume) {
                settlement.resume(run, restartTasks, progress);
            } else {
                settlement.begin(run);
            }
        }
        Files.writeString(folder.root().resolve(OutputFolderCheck.CONFIG), recipe.toYaml());
        Optional<String> newest =
                resume
                        ? CompleteCheckpoints.newest(
                                List.of(folder.checkpointsUri(), folder.savepointsUri()))
                        : Optional.empty();
        newest.ifPresent(checkpoint -> progress.accept("going on from " + checkpoint));
        // The file, not its folder: some S3 servers take the name of a folder for an empty file.
        return newest.map(checkpoint -> checkpoint + "/" + CompleteCheckpoints.METADATA);
    }

    /** What is settled for the whole life of the run. */
    public RunIdentity identity() {
        return identity;
    }

    /** The tasks. */
    public TaskCatalogue catalogue() {
        return catalogue;
    }
}
