package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps sandboxes alive until somebody ends them, whoever asked for them. A lease that is created
 * again replaces its sandbox.
 */
final class SandboxService {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    private final Workload workload;
    private final VirtualTime time;
    private final ServiceLog log;
    private final Map<String, SimBox> alive = new HashMap<>();
    private long nextId = 1;

    /**
     * @param past what its log holds already
     */
    SandboxService(Workload workload, VirtualTime time, ServiceLog log, List<JsonNode> past) {
        this.workload = workload;
        this.time = time;
        this.log = log;
        past.forEach(this::again);
    }

    void routes(SimServer server) {
        server.route("/create", call(FaultTarget.CREATE), this::create);
        server.route("/exec", call(FaultTarget.EXEC), this::exec);
        server.route("/grade", call(FaultTarget.GRADE), this::grade);
        server.route("/attach", call(FaultTarget.ATTACH), this::attach);
        server.route("/terminate", call(FaultTarget.TERMINATE), this::terminate);
        server.route("/put", this::put);
        server.route("/get", this::get);
        server.route("/reap", this::reap);
        server.route("/list", this::list);
    }

    private SimServer.Faulty call(FaultTarget target) {
        return new SimServer.Faulty() {
            @Override
            public FaultTarget target() {
                return target;
            }

            @Override
            public String id(JsonNode request) {
                String effect = request.path("effect").asText();
                String turn = effect.substring(effect.lastIndexOf('.') + 1);
                return Lease.of(request.path("lease").asText()).selector() + ".u" + turn;
            }

            @Override
            public void before(JsonNode request, FaultRule fault) {
                if (fault.effect() == FaultEffect.GONE) {
                    end(request.path("lease").asText(), "gone");
                }
            }
        };
    }

    private synchronized CompletableFuture<Answer> create(JsonNode request) {
        String lease = request.path("lease").asText();
        Lease parts = Lease.of(lease);
        if (!request.path("image").asText().isEmpty()) {
            throw new ServiceRefusal(NOT_FOUND, "there are no images here");
        }
        if (workload.lost(parts.withoutAdmission())) {
            throw new ServiceRefusal(500, "the sandbox did not start");
        }
        end(lease, "replaced");
        String owner = request.path("owner").asText();
        SimBox box = new SimBox(nextId++, lease, owner, System.currentTimeMillis());
        alive.put(lease, box);
        log.append(
                ServiceLog.line("create")
                        .put("id", box.id)
                        .put("lease", lease)
                        .put("owner", owner)
                        .put("admission", parts.admission()));
        return answer(
                JSON.createObjectNode().put("id", box.id),
                workload.startMillis(parts.withoutAdmission()));
    }

    private synchronized CompletableFuture<Answer> exec(JsonNode request) {
        SimBox box = box(request);
        String command = request.path("command").asText();
        String effect = request.path("effect").asText();
        note(box, effect, command);
        List<String> words = List.of(command.split(" ", -1));
        if (words.size() != 3 || !words.get(0).equals("work")) {
            return answer(result(127, command + ": not found", 0, false), 10);
        }
        long attempt = Long.parseUnsignedLong(words.get(1), 16);
        int turn = Integer.parseInt(words.get(2));
        long limit = Math.min(120_000, time.virtualMillis(request.path("timeoutMillis").asLong()));
        long takes = workload.toolMillis(attempt, turn);
        String text =
                "did "
                        + turn
                        + " "
                        + workload.observationTokens(attempt, turn)
                        + " "
                        + box.state().get(0);
        return takes >= limit
                ? answer(result(124, text, limit, true), limit)
                : answer(result(0, text, takes, false), takes);
    }

    private synchronized CompletableFuture<Answer> grade(JsonNode request) {
        SimBox box = box(request);
        int task = request.path("task").asInt();
        List<String> state = box.state();
        long attempt = Long.parseUnsignedLong(state.get(1), 16);
        note(box, "grade", "grade");
        ObjectNode body = JSON.createObjectNode();
        body.put("reward", workload.solved(task, attempt) ? 1.0 : 0.0);
        body.put("intact", WorkChain.intact(workload, task, attempt, state.get(0)));
        return answer(body, workload.gradingMillis(attempt));
    }

    private synchronized CompletableFuture<Answer> attach(JsonNode request) {
        SimBox box = alive.get(request.path("lease").asText());
        if (box == null) {
            throw new ServiceRefusal(NOT_FOUND, "no sandbox has this lease");
        }
        return answer(described(box), 200);
    }

    private synchronized CompletableFuture<Answer> terminate(JsonNode request) {
        SimBox box = alive.get(request.path("lease").asText());
        boolean asked = request.path("id").asLong(0) == 0 || matches(box, request);
        if (box != null && asked) {
            end(box.lease, "terminated");
        }
        return answer(JSON.createObjectNode(), 300);
    }

    private synchronized CompletableFuture<Answer> put(JsonNode request) {
        SimBox box = box(request);
        box.put(request.path("directory").asText(), request.path("files"));
        ObjectNode line = ServiceLog.line("put").put("lease", box.lease);
        line.put("directory", request.path("directory").asText());
        line.set("files", request.path("files"));
        log.append(line);
        return answer(JSON.createObjectNode(), 200);
    }

    private synchronized CompletableFuture<Answer> get(JsonNode request) {
        String folder = request.path("directory").asText() + "/";
        ArrayNode files = JSON.createArrayNode();
        box(request)
                .files
                .forEach(
                        (path, file) -> {
                            if (path.startsWith(folder)) {
                                files.add(
                                        ((ObjectNode) file.deepCopy())
                                                .put("path", path.substring(folder.length())));
                            }
                        });
        return answer(JSON.createObjectNode().set("files", files), 200);
    }

    private synchronized CompletableFuture<Answer> reap(JsonNode request) {
        String owner = request.path("owner").asText();
        List<SimBox> owned =
                alive.values().stream().filter(box -> box.owner.equals(owner)).toList();
        owned.forEach(box -> end(box.lease, "reaped"));
        return answer(JSON.createObjectNode().put("count", owned.size()), 300);
    }

    private synchronized CompletableFuture<Answer> list(JsonNode request) {
        ArrayNode boxes = JSON.createArrayNode();
        for (SimBox box : new ArrayList<>(alive.values())) {
            boxes.add(described(box));
        }
        return answer(JSON.createObjectNode().set("sandboxes", boxes), 100);
    }

    private static ObjectNode described(SimBox box) {
        ObjectNode body = JSON.createObjectNode().put("id", box.id).put("lease", box.lease);
        body.put("owner", box.owner).put("since", box.since);
        body.put("admission", Lease.of(box.lease).admission());
        body.set("executed", JSON.valueToTree(box.executed));
        return body;
    }

    private void note(SimBox box, String effect, String command) {
        box.run(effect, command);
        log.append(
                ServiceLog.line("exec")
                        .put("id", box.id)
                        .put("lease", box.lease)
                        .put("effect", effect)
                        .put("command", command));
    }

    private SimBox box(JsonNode request) {
        SimBox box = alive.get(request.path("lease").asText());
        if (!matches(box, request)) {
            throw new ServiceRefusal(GONE, "the sandbox is gone");
        }
        return box;
    }

    private static boolean matches(SimBox box, JsonNode request) {
        return box != null && box.id == request.path("id").asLong();
    }

    private synchronized void end(String lease, String how) {
        SimBox box = alive.remove(lease);
        if (box != null) {
            log.append(
                    ServiceLog.line("end").put("id", box.id).put("lease", lease).put("how", how));
        }
    }

    private static ObjectNode result(int exit, String text, long virtualMillis, boolean timedOut) {
        return JSON.createObjectNode()
                .put("exit", exit)
                .put("output", text)
                .put("timedOut", timedOut)
                .put("virtualMillis", virtualMillis);
    }

    private static CompletableFuture<Answer> answer(JsonNode body, long virtualMillis) {
        return CompletableFuture.completedFuture(new Answer(body, virtualMillis));
    }

    /** Does again what a line of the log says was done. */
    private void again(JsonNode line) {
        String lease = line.path("lease").asText();
        switch (line.path("op").asText()) {
            case "create" -> {
                long id = line.path("id").asLong();
                nextId = id + 1;
                String owner = line.path("owner").asText();
                alive.put(lease, new SimBox(id, lease, owner, line.path("at").asLong()));
            }
            case "exec" ->
                    alive.get(lease)
                            .run(line.path("effect").asText(), line.path("command").asText());
            case "put" -> alive.get(lease).put(line.path("directory").asText(), line.path("files"));
            case "end" -> alive.remove(lease);
            default -> throw new IllegalStateException("The log holds an unknown line: " + line);
        }
    }
}
