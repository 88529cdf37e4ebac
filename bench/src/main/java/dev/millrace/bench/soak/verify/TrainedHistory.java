package dev.millrace.bench.soak.verify;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Everything that went into some weights, by the trainer's log: back through the saved states that
 * its sessions started from.
 */
final class TrainedHistory {
    private static final Pattern EFFECT = Pattern.compile("/e(\\d+)/s(\\d+)/m(\\d+)/");

    /**
     * A minibatch that went into the weights.
     *
     * @param epoch it was trained under
     * @param step of the run
     * @param minibatch of the step
     * @param data ids
     */
    record Trained(long epoch, long step, long minibatch, List<String> data) {}

    private final Map<String, List<Trained>> applied = new HashMap<>();
    private final Map<String, List<Trained>> gathered = new HashMap<>();
    private final Map<String, List<Trained>> kept = new HashMap<>();

    TrainedHistory(List<JsonNode> log) {
        log.forEach(this::add);
    }

    /** What went into the weights at a URI, in order; empty for an unknown one. */
    List<Trained> of(String uri) {
        return kept.getOrDefault(uri, List.of());
    }

    private void add(JsonNode line) {
        String session = line.path("session").asText();
        switch (line.path("op").asText()) {
            case "open" -> {
                String state = line.path("state").asText();
                applied.put(session, new ArrayList<>(kept.getOrDefault(state, List.of())));
                gathered.put(session, new ArrayList<>());
            }
            case "forward_backward" -> gathered.get(session).add(trained(line));
            case "optim_step" -> {
                applied.get(session).addAll(gathered.get(session));
                gathered.get(session).clear();
            }
            case "save", "publish" ->
                    kept.put(line.path("uri").asText(), List.copyOf(applied.get(session)));
            default -> {
                // Changes no weights.
            }
        }
    }

    private static Trained trained(JsonNode line) {
        Matcher effect = EFFECT.matcher(line.path("effect").asText());
        if (!effect.find()) {
            throw new IllegalStateException("The trainer's log holds an unknown line: " + line);
        }
        List<String> data = new ArrayList<>();
        line.path("data").forEach(id -> data.add(id.asText()));
        return new Trained(
                Long.parseLong(effect.group(1)),
                Long.parseLong(effect.group(2)),
                Long.parseLong(effect.group(3)),
                List.copyOf(data));
    }
}
