package dev.millrace.bench.soak.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sandboxes by the log of the service that made them. */
public final class Leases {
    private Leases() {}

    /** Leases that are alive at the end of a log. */
    public static List<String> alive(List<JsonNode> log) {
        Map<Long, String> alive = new TreeMap<>();
        for (JsonNode line : log) {
            long id = line.path("id").asLong();
            switch (line.path("op").asText()) {
                case "create" -> alive.put(id, line.path("lease").asText());
                case "end" -> alive.remove(id);
                default -> {
                    // Ends nothing.
                }
            }
        }
        return List.copyOf(alive.values());
    }
}
