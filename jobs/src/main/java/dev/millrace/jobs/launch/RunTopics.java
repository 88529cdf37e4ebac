package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.pipeline.settings.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The topics that a run would find, looked at before anything is prepared for it. */
public final class RunTopics {
    private RunTopics() {}

    /**
     * Why the run can't use the topics that are there, with the remedies; empty when it can. Makes
     * none. Blocks.
     *
     * @param cluster one that answers
     * @param resume whether the run goes on from an earlier start
     */
    public static List<String> refusals(KafkaCluster cluster, Recipe recipe, boolean resume) {
        TopicNames names = new TopicNames(recipe.run().name());
        List<String> refusals =
                new ArrayList<>(
                        Topics.faults(cluster, names.specs(partitions(cluster, recipe, resume))));
        refusals.addAll(TaskTopic.refusals(cluster, recipe));
        if (refusals.isEmpty() && Topics.partitions(cluster, names.policies()).isPresent()) {
            ClosedTopics.refusal(cluster, names.policies(), resume).ifPresent(refusals::add);
        }
        return refusals;
    }

    /** Partitions of the journal. A run keeps its own, with whatever parallelism it is resumed. */
    static int partitions(KafkaCluster cluster, Recipe recipe, boolean resume) {
        TopicNames names = new TopicNames(recipe.run().name());
        return (resume ? Topics.partitions(cluster, names.turns()) : OptionalInt.empty())
                .orElse(recipe.flink().parallelism());
    }
}
