package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Commands in a running container, by the three calls that they take. */
final class ContainerExec {
    private static final long MOST_PAUSE_MILLIS = 50;

    private final Engine engine;
    private final DockerSettings settings;
    private final String container;

    ContainerExec(Engine engine, DockerSettings settings, String container) {
        this.engine = engine;
        this.settings = settings;
        this.container = container;
    }

    /** Makes one ready, and returns its id. */
    String prepare(List<String> words, Map<String, String> environment) throws SandboxException {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        words.forEach(request.putArray("Cmd")::add);
        request.put("AttachStdin", false).put("AttachStdout", true).put("AttachStderr", true);
        request.put("Tty", false).put("User", settings.user());
        request.putArray("Env");
        new TreeMap<>(environment)
                .forEach((name, value) -> request.withArray("Env").add(name + "=" + value));
        EngineCall call =
                EngineCall.post(
                        "preparing a command",
                        "/containers/" + EngineCall.encoded(container) + "/exec",
                        request,
                        settings.requestTimeoutMillis());
        return engine.json(call).path("Id").asText();
    }

    /** Starts it; what it writes is read from the stream. */
    HttpReply start(String id) throws SandboxException {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("Detach", false).put("Tty", false);
        return engine.opened(
                EngineCall.post(
                        "starting a command",
                        "/exec/" + EngineCall.encoded(id) + "/start",
                        request,
                        settings.requestTimeoutMillis()));
    }

    /**
     * How it is.
     *
     * @param exitCode means nothing while it runs
     */
    record State(boolean running, int exitCode) {}

    State state(String id) throws SandboxException {
        JsonNode state =
                engine.json(
                        EngineCall.get(
                                "looking at a command",
                                "/exec/" + EngineCall.encoded(id) + "/json",
                                settings.requestTimeoutMillis()));
        return new State(state.path("Running").asBoolean(), state.path("ExitCode").asInt());
    }

    /**
     * Kills every process inside that belongs to the commands' user. The shell's own {@code kill}
     * needs no further process, of which there may be none left.
     *
     * @return whether it did so, and was not killed by what it was to kill
     */
    boolean killAll() throws SandboxException {
        String id = prepare(List.of("/bin/sh", "-c", "kill -9 -1"), Map.of());
        try (HttpReply reply = start(id)) {
            reply.within(settings.killGraceMillis());
            int most = 1024;
            boolean silent = reply.body(most).length <= most;
            State state = ended(id);
            // 1: there was nothing to kill.
            return silent && !state.running() && state.exitCode() <= 1;
        } catch (IOException tooSlow) {
            return false;
        }
    }

    /** Its state once it has ended: the end of its output may come a little earlier. */
    State ended(String id) throws SandboxException {
        long until = System.nanoTime() + settings.killGraceMillis() * 1_000_000;
        long pause = 1;
        State state = state(id);
        while (state.running() && System.nanoTime() < until) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
            }
            pause = Math.min(pause * 2, MOST_PAUSE_MILLIS);
            state = state(id);
        }
        return state;
    }
}
