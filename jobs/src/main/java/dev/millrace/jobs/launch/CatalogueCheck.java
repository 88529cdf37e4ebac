package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Whether a resumed run has the tasks that it was begun with. Ids, splits and their order count;
 * where the tasks lie does not.
 */
final class CatalogueCheck {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int NAMED = 3;

    private CatalogueCheck() {}

    /**
     * Compares the tasks that a run is resumed with to those in its topic.
     *
     * @throws BadInputException naming tasks that differ
     */
    static void check(KafkaCluster cluster, String topic, String runId, List<Task> tasks) {
        compare(written(cluster, topic, runId), tasks);
    }

    /**
     * Compares the tasks that a run was begun with to others; a run without tasks may have any.
     *
     * @throws BadInputException naming tasks that differ
     */
    static void compare(List<Task> begun, List<Task> resumed) {
        if (begun.isEmpty()) {
            return;
        }
        Map<String, Split> before = identity(begun);
        Map<String, Split> now = identity(resumed);
        if (List.copyOf(before.entrySet()).equals(List.copyOf(now.entrySet()))) {
            return;
        }
        List<String> gone = difference(before, now);
        List<String> added = difference(now, before);
        String what =
                gone.isEmpty() && added.isEmpty()
                        ? "they come in another order"
                        : "missing " + named(gone) + ", new " + named(added);
        throw new BadInputException(
                "The run was begun with "
                        + before.size()
                        + " tasks and can't go on with these "
                        + now.size()
                        + ": "
                        + what
                        + ". Bring the tasks back, or start a new run with another --output");
    }

    private static Map<String, Split> identity(List<Task> tasks) {
        Map<String, Split> identity = new LinkedHashMap<>();
        tasks.forEach(task -> identity.putIfAbsent(task.taskId(), task.split()));
        return identity;
    }

    private static List<String> difference(Map<String, Split> of, Map<String, Split> without) {
        List<String> ids = new ArrayList<>();
        of.forEach(
                (id, split) -> {
                    if (without.get(id) != split) {
                        ids.add(id);
                    }
                });
        return ids;
    }

    private static String named(List<String> ids) {
        if (ids.isEmpty()) {
            return "none";
        }
        String first = String.join(", ", ids.subList(0, Math.min(NAMED, ids.size())));
        return ids.size() <= NAMED ? first : first + " and " + (ids.size() - NAMED) + " more";
    }

    private static List<Task> written(KafkaCluster cluster, String topic, String runId) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<Task> tasks = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(
                        cluster.client(Map.of()),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                    if (runId.equals(record.key())) {
                        tasks.add(Wire.decode(record.value(), Task.class));
                    }
                }
            }
        }
        return tasks;
    }
}
