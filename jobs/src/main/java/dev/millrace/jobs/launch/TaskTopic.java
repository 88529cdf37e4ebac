package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicFacts;
import dev.millrace.operators.topic.Topics;
import dev.millrace.pipeline.settings.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The topic that others write a run's training tasks into, looked at before the run starts. */
final class TaskTopic {
    private TaskTopic() {}

    /** Why a run can't read it, each with the remedy; empty when it can, or reads none. Blocks. */
    static List<String> refusals(KafkaCluster cluster, Recipe recipe) {
        if (!recipe.tasks().fromTopic()) {
            return List.of();
        }
        String subject = "tasks.topic " + recipe.tasks().topic();
        Optional<TopicFacts> facts = Topics.facts(cluster, recipe.tasks().topic());
        if (facts.isEmpty()) {
            return List.of(
                    subject
                            + ": the Kafka cluster has no such topic, or these credentials may not"
                            + " see it; create it first");
        }
        List<String> refusals = new ArrayList<>();
        if (facts.get().compacted()) {
            refusals.add(
                    subject
                            + ": cleanup.policy is "
                            + facts.get().cleanupPolicy()
                            + ", and compaction removes rows; it must be delete");
        }
        if (recipe.run().lockstep() && facts.get().partitions() > 1) {
            refusals.add(
                    subject
                            + ": has "
                            + facts.get().partitions()
                            + " partitions, whose rows arrive in an order that depends on time, and"
                            + " run.determinism is lockstep; it must have one");
        }
        return refusals;
    }
}
