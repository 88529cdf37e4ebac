package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a Flink cluster says about itself.
 *
 * @param flinkVersion its version
 * @param scheduler {@code jobmanager.scheduler}, lower case; {@code default} when it isn't set
 * @param taskManagers those that have registered
 */
public record ClusterFacts(
        String flinkVersion, String scheduler, List<TaskManagerFacts> taskManagers) {

    /**
     * One TaskManager.
     *
     * @param id its resource id
     * @param slots slots of the size that it gives to whoever asks for no size
     * @param cpus processor cores
     * @param heapMb task heap, MiB
     * @param managedMb managed memory, MiB
     * @param resources external resources, by name
     */
    public record TaskManagerFacts(
            String id,
            int slots,
            double cpus,
            int heapMb,
            int managedMb,
            Map<String, Double> resources) {

        /** How much of an external resource it offers. */
        double offers(String resource) {
            return resources.getOrDefault(resource, 0.0);
        }
    }

    /**
     * Asks a cluster.
     *
     * @param address of its REST, {@code http://host:port}
     * @throws JobManagerAway when nobody answers
     */
    public static ClusterFacts read(String address) {
        ClusterRest rest = new ClusterRest(address);
        List<TaskManagerFacts> taskManagers = new ArrayList<>();
        for (JsonNode each : rest.get("/taskmanagers").path("taskmanagers")) {
            taskManagers.add(taskManager(each));
        }
        return new ClusterFacts(
                rest.get("/config").path("flink-version").asText(),
                scheduler(rest.get("/jobmanager/config")),
                List.copyOf(taskManagers));
    }

    private static TaskManagerFacts taskManager(JsonNode node) {
        JsonNode total = node.path("totalResource");
        Map<String, Double> resources = new TreeMap<>();
        total.path("extendedResources")
                .fields()
                .forEachRemaining(each -> resources.put(each.getKey(), each.getValue().asDouble()));
        return new TaskManagerFacts(
                node.path("id").asText(),
                node.path("slotsNumber").asInt(),
                total.path("cpuCores").asDouble(),
                total.path("taskHeapMemory").asInt(),
                total.path("managedMemory").asInt(),
                resources);
    }

    private static String scheduler(JsonNode configuration) {
        String scheduler = "default";
        String mode = "";
        for (JsonNode each : configuration) {
            String key = each.path("key").asText();
            String value = each.path("value").asText();
            if (key.equals("jobmanager.scheduler")) {
                scheduler = value;
            } else if (key.equals("scheduler-mode")) {
                mode = value;
            }
        }
        // Reactive mode brings the adaptive scheduler, whatever else is said.
        return (mode.isEmpty() ? scheduler : "adaptive").toLowerCase(Locale.ROOT);
    }
}
