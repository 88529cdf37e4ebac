package dev.millrace.bench.soak;

import dev.millrace.bench.sim.client.SimAddresses;
import dev.millrace.bench.sim.client.SimBackends;
import dev.millrace.bench.sim.client.SimTasks;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.pipeline.topology.RunPlan;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Makes the plan of a soaked run, and its topics. */
final class SoakPlan {
    private static final int TURNS_PARTITIONS = 2;

    private final Recipe recipe;
    private final Path folder;
    private final long seed;

    /**
     * @param recipe file
     * @param overrides settings by key, {@code a.b=c}
     */
    SoakPlan(Path recipe, List<String> overrides, Path folder, long seed, long steps)
            throws SettingsException {
        List<String> settings = new ArrayList<>(overrides);
        settings.add("train.steps=" + steps);
        settings.add("run.seed=" + seed);
        this.recipe = RecipeReader.read(List.of(recipe), settings);
        this.folder = folder;
        this.seed = seed;
    }

    Recipe recipe() {
        return recipe;
    }

    /** The run at the recipe's parallelism. */
    RunPlan plan(String bootstrapServers, SimAddresses services) {
        return plan(recipe, bootstrapServers, services);
    }

    /** The same run at another parallelism. */
    RunPlan rescaled(RunPlan plan, int parallelism) throws SettingsException {
        Recipe other =
                RecipeReader.read(
                        List.of(written(plan)), List.of("flink.parallelism=" + parallelism));
        return plan(other, plan.bootstrapServers(), ((SimBackends) plan.backends()).addresses());
    }

    /** Makes the topics and writes the tasks. */
    void prepare(RunPlan plan) {
        Topics.ensure(plan.kafka(), plan.topics().specs(TURNS_PARTITIONS));
        try (KafkaProducer<String, byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", plan.bootstrapServers(), "acks", "all"),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            for (PlannedRun run : plan.runs()) {
                writeTasks(run.runId(), plan, producer);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("The tasks could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while writing tasks", e);
        }
    }

    private void writeTasks(String run, RunPlan plan, KafkaProducer<String, byte[]> producer)
            throws ExecutionException, InterruptedException {
        int test = recipe.tasks().test();
        for (int i = 0; i < test + recipe.tasks().train(); i++) {
            Split split = i < test ? Split.TEST : Split.TRAIN;
            Task task = new Task(SimTasks.id(i), "sim:" + i, split, "");
            producer.send(new ProducerRecord<>(plan.topics().tasks(), run, Wire.encode(task)))
                    .get();
        }
    }

    private Path written(RunPlan plan) {
        Path file = folder.resolve("recipe.yaml");
        try {
            java.nio.file.Files.writeString(file, plan.recipe().toYaml());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return file;
    }

    private RunPlan plan(Recipe settings, String bootstrapServers, SimAddresses services) {
        return new RunPlan(
                settings.run().name() + "-" + seed,
                settings,
                bootstrapServers,
                new TopicNames(settings.run().name()),
                TURNS_PARTITIONS,
                folder.resolve("ledger").toUri().toString(),
                "",
                new PolicyRef(new PolicyVersion(0, 0), "sim-weights:initial"),
                new SimBackends(
                        services,
                        folder.resolve("trajectories").toString(),
                        settings.rollout().slots(),
                        settings.grading().slots()));
    }
}
