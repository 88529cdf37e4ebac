package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Trains: its weights are a digest of all that it was given, in order. A session's calls are
 * carried out in the order of their numbers. Saved states and publications outlive the process;
 * sessions do not.
 */
final class TrainerService implements SimServer.Faulty {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern STEP = Pattern.compile("/s(\\d+)/m(\\d+)/");
    private static final Pattern NAMED_STEP = Pattern.compile("-step(\\d+)$");
    private static final int REFUSED = 422;
    private static final int TAKEN = 409;
    private static final int GONE = 410;
    private static final long OPEN = 2000;
    private static final long FORWARD_BACKWARD = 40_000;
    private static final long OPTIM_STEP = 5_000;
    private static final long SAVE = 5_000;
    private static final long PUBLISH = 12_000;

    private final Workload workload;
    private final VirtualTime time;
    private final ServiceLog log;
    private final Map<String, SimSession> sessions = new HashMap<>();
    private final Map<String, Long> states = new HashMap<>();
    private final Set<String> names = new HashSet<>();

    private final Set<String> refused = new HashSet<>();

    /** Sessions of tasks that are to fail: all their calls say so, or the session would be lost. */
    private final Set<String> failing = new HashSet<>();

    /**
     * @param past what its log holds already
     */
    TrainerService(Workload workload, VirtualTime time, ServiceLog log, List<JsonNode> past) {
        this.workload = workload;
        this.time = time;
        this.log = log;
        past.forEach(this::again);
    }

    void routes(SimServer server) {
        server.route("/open", this::open);
        server.route("/forward_backward", this, inOrder(FORWARD_BACKWARD, this::forwardBackward));
        server.route("/optim_step", this, inOrder(OPTIM_STEP, this::optimStep));
        server.route("/save", this, inOrder(SAVE, this::save));
        server.route("/publish", this, inOrder(PUBLISH, this::publish));
        server.route("/close", this::close);
        server.route("/refuse", this::refuse);
    }

    @Override
    public FaultTarget target() {
        return FaultTarget.TRAINER;
    }

    @Override
    public String id(JsonNode request) {
        Matcher minibatch = STEP.matcher(request.path("effect").asText());
        if (minibatch.find()) {
            return "s" + minibatch.group(1) + ".m" + minibatch.group(2);
        }
        Matcher named = NAMED_STEP.matcher(request.path("name").asText());
        return named.find() ? "s" + named.group(1) : "";
    }

    /** A session that is lost, or that raises an exception in its task, is gone. */
    @Override
    public synchronized void before(JsonNode request, FaultRule fault) {
        boolean ends =
                fault.effect() == FaultEffect.SESSION_LOST
                        || fault.effect() == FaultEffect.TASK_EXCEPTION;
        SimSession session = ends ? sessions.remove(request.path("session").asText()) : null;
        if (session != null) {
            if (fault.effect() == FaultEffect.TASK_EXCEPTION) {
                failing.add(session.name);
            }
            log.append(ServiceLog.line("lost").put("session", session.name));
            session.lose();
        }
    }

    private synchronized CompletableFuture<Answer> open(JsonNode request) {
        String name = request.path("session").asText();
        String state = request.path("state").asText();
        if (!state.isEmpty() && !states.containsKey(state)) {
            throw new ServiceRefusal(404, "no state lies at " + state);
        }
        take("session " + name);
        long weights = state.isEmpty() ? workload.seed() : states.get(state);
        sessions.put(name, new SimSession(name, weights));
        log.append(ServiceLog.line("open").put("session", name).put("state", state));
        return CompletableFuture.completedFuture(
                new Answer(JSON.createObjectNode(), workload.trainerMillis(OPEN)));
    }

    private synchronized CompletableFuture<Answer> close(JsonNode request) {
        SimSession session = sessions.remove(request.path("session").asText());
        if (session != null) {
            log.append(ServiceLog.line("close").put("session", session.name));
            session.lose();
        }
        return CompletableFuture.completedFuture(new Answer(JSON.createObjectNode(), 0));
    }

    /** Nothing is carried out for a run from now on. */
    private synchronized CompletableFuture<Answer> refuse(JsonNode request) {
        refused.add(request.path("run").asText());
        return CompletableFuture.completedFuture(new Answer(JSON.createObjectNode(), 0));
    }

    /** Carries a call out once those before it have been; the device does one at a time. */
    private SimServer.Handler inOrder(long virtualMillis, Call call) {
        return request -> {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            synchronized (this) {
                SimSession session = session(request);
                session.take(
                        request.path("call").asLong(),
                        new SimSession.Call(
                                () ->
                                        complete(
                                                answer,
                                                virtualMillis,
                                                session,
                                                () -> call.on(session, request)),
                                () -> answer.completeExceptionally(gone(session.name))));
            }
            return answer;
        };
    }

    private void complete(
            CompletableFuture<Answer> answer,
            long virtualMillis,
            SimSession session,
            Supplier<JsonNode> work) {
        try {
            JsonNode body = work.get();
            long now = System.currentTimeMillis();
            session.busyUntilMillis =
                    Math.max(now, session.busyUntilMillis)
                            + time.realMillis(workload.trainerMillis(virtualMillis));
            answer.complete(new Answer(body, time.virtualMillis(session.busyUntilMillis - now)));
        } catch (ServiceRefusal e) {
            answer.completeExceptionally(e);
        }
    }

    private JsonNode forwardBackward(SimSession session, JsonNode request) {
        List<String> ids = new ArrayList<>();
        String effect = request.path("effect").asText();
        for (JsonNode datum : request.path("data")) {
            ids.add(checked(session, effect, datum));
            session.gradient = mix(session.gradient, datum.toString());
        }
        ObjectNode line = ServiceLog.line("forward_backward").put("session", session.name);
        line.put("effect", effect);
        ArrayNode data = line.putArray("data");
        ids.forEach(data::add);
        log.append(line);
        return JSON.createObjectNode().put("tokens", request.path("data").size());
    }

    private JsonNode optimStep(SimSession session, JsonNode request) {
        session.weights = mix(session.weights, Long.toHexString(session.gradient));
        session.gradient = 0;
        log.append(
                ServiceLog.line("optim_step")
                        .put("session", session.name)
                        .put("effect", request.path("effect").asText())
                        .put("weights", Long.toHexString(session.weights)));
        return JSON.createObjectNode().put("norm", 1.0);
    }

    private JsonNode save(SimSession session, JsonNode request) {
        return keep("save", "sim-state:", session, request);
    }

    private JsonNode publish(SimSession session, JsonNode request) {
        return keep("publish", "sim-weights:", session, request);
    }

    private JsonNode keep(String op, String scheme, SimSession session, JsonNode request) {
        String uri = scheme + request.path("name").asText();
        take(uri);
        if (op.equals("save")) {
            states.put(uri, session.weights);
        }
        log.append(
                ServiceLog.line(op)
                        .put("session", session.name)
                        .put("uri", uri)
                        .put("weights", Long.toHexString(session.weights)));
        return JSON.createObjectNode().put("uri", uri);
    }

    /** The id of a datum: the attempt whose tokens it holds. */
    private String checked(SimSession session, String effect, JsonNode datum) {
        OptionalLong attempt = SimTokens.attempt(ints(datum.path("tokens")));
        String id = attempt.isPresent() ? SimTokens.name(attempt.getAsLong()) : "unknown";
        for (JsonNode logprob : datum.path("logprobs")) {
            if (!logprob.isNumber() || !Double.isFinite(logprob.asDouble())) {
                log.append(
                        ServiceLog.line("refused")
                                .put("session", session.name)
                                .put("effect", effect)
                                .put("datum", id));
                throw new ServiceRefusal(
                        REFUSED, "datum " + id + " has a log-probability that is not finite");
            }
        }
        return id;
    }

    private SimSession session(JsonNode request) {
        String name = request.path("session").asText();
        if (refused.stream().anyMatch(run -> name.startsWith(run + "-e"))) {
            throw new ServiceRefusal(REFUSED, "this run is refused");
        }
        SimSession session = sessions.get(name);
        if (session == null) {
            throw gone(name);
        }
        return session;
    }

    private synchronized ServiceRefusal gone(String session) {
        return failing.contains(session)
                ? new ServiceRefusal(SimServer.TASK_EXCEPTION, "injected task exception")
                : new ServiceRefusal(GONE, "the session is gone");
    }

    private void take(String name) {
        if (!names.add(name)) {
            throw new ServiceRefusal(TAKEN, "the name was used before: " + name);
        }
    }

    private static int[] ints(JsonNode array) {
        int[] values = new int[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = array.get(i).asInt();
        }
        return values;
    }

    private static long mix(long before, String next) {
        return Seeds.ofGroup(before, next);
    }

    /** Takes note of what a line of the log says was done. */
    private void again(JsonNode line) {
        switch (line.path("op").asText()) {
            case "open" -> names.add("session " + line.path("session").asText());
            case "save", "publish" -> {
                String uri = line.path("uri").asText();
                names.add(uri);
                long weights = Long.parseUnsignedLong(line.path("weights").asText(), 16);
                states.put(uri, weights);
            }
            default -> {
                // Sessions do not outlive the process.
            }
        }
    }

    private interface Call {
        JsonNode on(SimSession session, JsonNode request);
    }
}
