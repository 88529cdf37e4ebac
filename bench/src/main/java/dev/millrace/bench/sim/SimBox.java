package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A live sandbox of the sandbox service. */
final class SimBox {
    /** File that holds what the commands did. */
    static final String STATE = "/workspace/state";

    final long id;
    final String lease;
    final String owner;
    final long since;
    final long ttlMillis;

    /** Who may use it: the newest opening that asked. */
    long fence;

    long usedAt;
    final List<String> executed = new ArrayList<>();
    final Map<String, JsonNode> files = new TreeMap<>();
    private String chain = WorkChain.EMPTY;
    private String attempt = "";

    SimBox(long id, String lease, String owner, long fence, long ttlMillis, long since) {
        this.id = id;
        this.lease = lease;
        this.owner = owner;
        this.fence = fence;
        this.ttlMillis = ttlMillis;
        this.since = since;
        this.usedAt = since;
    }

    /** Notes a command, and what it does to the workspace. */
    void run(String effect, String command) {
        executed.add(effect);
        if (command.startsWith("work ")) {
            chain = WorkChain.after(chain, command);
            attempt = command.split(" ", -1)[1];
            files.put(STATE, file(chain + " " + attempt));
        }
    }

    /** Digest of the commands and the attempt they are of; that of files put here, too. */
    List<String> state() {
        JsonNode state = files.get(STATE);
        if (state == null) {
            return List.of(WorkChain.EMPTY, "0");
        }
        byte[] content = Base64.getDecoder().decode(state.path("content").asText());
        return List.of(new String(content, StandardCharsets.UTF_8).split(" ", -1));
    }

    void put(String directory, JsonNode added) {
        for (JsonNode file : added) {
            files.put(directory + "/" + file.path("path").asText(), file);
        }
    }

    private static JsonNode file(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return JsonNodeFactory.instance
                .objectNode()
                .put("path", "state")
                .put("content", Base64.getEncoder().encodeToString(bytes))
                .put("executable", false);
    }
}
