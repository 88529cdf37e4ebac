package dev.millrace.operators.admission;

import dev.millrace.operators.topic.CaughtUpReaders;
import dev.millrace.operators.topic.TopicRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether every reader of every topic has passed the end that the topic had when it opened. */
final class CaughtUp {
    private final Map<String, CaughtUpReaders> byTopic = new HashMap<>();

    CaughtUp(List<String> topics) {
        topics.forEach(topic -> byTopic.put(topic, new CaughtUpReaders()));
    }

    void hear(TopicRecord mark) {
        CaughtUpReaders readers = byTopic.get(mark.topic());
        if (readers == null) {
            throw new IllegalStateException("The gate does not hear topic " + mark.topic());
        }
        readers.completedBy(mark);
    }

    boolean all() {
        return byTopic.values().stream().allMatch(CaughtUpReaders::complete);
    }
}
