package dev.millrace.operators.step;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicWriter;
import dev.millrace.udfs.model.StepEvent;

/** A journal that is a topic, keyed by route. */
record TopicJournal(TopicWriter writer) implements StepJournal {

    /** A journal in the topic of that name. */
    static StepJournal.Factory in(KafkaCluster cluster, String topic) {
        return failed -> new TopicJournal(new TopicWriter(cluster, topic, failed));
    }

    @Override
    public void append(StepEvent event) {
        writer.append(event.route(), event);
    }

    @Override
    public void close() {
        writer.close();
    }
}
