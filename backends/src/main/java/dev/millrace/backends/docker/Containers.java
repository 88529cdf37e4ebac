package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.LabelledSandboxes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Containers by name or id. What makes or ends one is carried to its end even when the caller is
 * cancelled: the daemon would do so anyway, and nobody would know.
 */
final class Containers implements LabelledSandboxes {
    private static final int REMOVAL_TRIES = 40;
    private static final long REMOVAL_PAUSE_MILLIS = 250;

    private final Engine engine;
    private final long timeoutMillis;

    Containers(Engine engine, long timeoutMillis) {
        this.engine = engine;
        this.timeoutMillis = timeoutMillis;
    }

    void create(String name, ObjectNode request) throws SandboxException {
        EngineCall call =
                EngineCall.post(
                                "creating a container",
                                "/containers/create?name=" + EngineCall.encoded(name),
                                request,
                                timeoutMillis)
                        .toTheEnd();
        Engine.Status status = engine.status(call);
        if (status.code() == 404) {
            throw new SandboxException(Kind.IMAGE, call.what() + ": " + status.message());
        }
        if (!status.ok()) {
            throw status.failure(call);
        }
    }

    void start(String name) throws SandboxException {
        require(post("starting a container", name, "/start"));
    }

    /** Ends everything inside and starts anew on the same files. */
    void restart(String name) throws SandboxException {
        require(post("restarting a container", name, "/restart?t=0"));
    }

    /** Ends everything inside; fine when it has ended. */
    void kill(String name) throws SandboxException {
        EngineCall call = post("killing a container", name, "/kill");
        Engine.Status status = engine.status(call);
        // What there is to say of one that has ended differs between daemons.
        if (!status.ok() && state(name).running()) {
            throw status.failure(call);
        }
    }

    private EngineCall post(String what, String name, String action) {
        return EngineCall.bare(what, "POST", path(name) + action, timeoutMillis).toTheEnd();
    }

    private void require(EngineCall call) throws SandboxException {
        Engine.Status status = engine.status(call);
        if (!status.ok()) {
            throw status.failure(call);
        }
    }

    private static String path(String name) {
        return "/containers/" + EngineCall.encoded(name);
    }

    /**
     * How it is; one that doesn't exist doesn't run.
     *
     * @param oomKilled whether the daemon says that the memory limit ended it
     */
    record State(boolean running, boolean oomKilled) {}

    State state(String name) throws SandboxException {
        EngineCall call =
                EngineCall.get("looking at a container", path(name) + "/json", timeoutMillis)
                        .toTheEnd();
        JsonNode found = engine.find(call).orElse(MissingNode.getInstance());
        JsonNode state = found.path("State");
        return new State(state.path("Running").asBoolean(), state.path("OOMKilled").asBoolean());
    }

    @Override
    public void remove(String name) throws SandboxException {
        EngineCall call =
                EngineCall.bare(
                                "removing a container",
                                "DELETE",
                                path(name) + "?force=1&v=1",
                                timeoutMillis)
                        .toTheEnd();
        Engine.Status status = engine.status(call);
        for (int i = 0; i < REMOVAL_TRIES && status.code() != 404; i++) {
            if (i > 0) {
                pause();
            }
            // The second answer says whether the first one was true.
            status = engine.status(call);
        }
        if (status.code() != 404) {
            throw new SandboxException(
                    Kind.UNREACHABLE, call.what() + " " + name + ": " + status.message());
        }
    }

    private static void pause() {
        boolean interrupted = Thread.interrupted();
        try {
            Thread.sleep(REMOVAL_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those in any state. */
    @Override
    public List<Found> labelled(String label, String value) throws SandboxException {
        ObjectNode filters = JsonNodeFactory.instance.objectNode();
        filters.putArray("label").add(value.isEmpty() ? label : label + "=" + value);
        JsonNode all =
                engine.json(
                        EngineCall.get(
                                        "listing containers",
                                        "/containers/json?all=1&filters="
                                                + EngineCall.encoded(filters.toString()),
                                        timeoutMillis)
                                .toTheEnd());
        List<Found> found = new ArrayList<>();
        for (JsonNode one : all) {
            Map<String, String> labels = new HashMap<>();
            one.path("Labels")
                    .properties()
                    .forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
            found.add(new Found(one.path("Id").asText(), labels));
        }
        return found;
    }
}
