package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps sandboxes alive until somebody ends them or nobody has used them for their time to live,
 * whoever asked for them and however that ended.
 */
final class SandboxService {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final long TOOL_LIMIT = 120_000;

    private final Workload workload;
    private final VirtualTime time;
    private final ServiceLog log;
    private final Sandboxes sandboxes;

    /**
     * @param past what its log holds already
     */
    SandboxService(Workload workload, VirtualTime time, ServiceLog log, List<JsonNode> past) {
        this.workload = workload;
        this.time = time;
        this.log = log;
        this.sandboxes = new Sandboxes(log, past);
    }

    void routes(SimServer server) {
        server.route("/create", call(FaultTarget.CREATE), this::create);
        server.route("/exec", call(FaultTarget.EXEC), this::exec);
        server.route("/grade", call(FaultTarget.GRADE), this::grade);
        server.route("/attach", call(FaultTarget.ATTACH), this::attach);
        server.route("/terminate", call(FaultTarget.TERMINATE), this::terminate);
        server.route("/show", this::show);
        server.route("/put", this::put);
        server.route("/get", this::get);
        server.route("/reap", this::reap);
        server.route("/list", this::list);
        server.every(500, this::expire);
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
                return LeaseName.of(request.path("lease").asText()).selector() + ".u" + turn;
            }

            @Override
            public void before(JsonNode request, FaultRule fault) {
                if (fault.effect() == FaultEffect.GONE) {
                    lose(request.path("lease").asText());
                }
            }
        };
    }

    private synchronized CompletableFuture<Answer> create(JsonNode request) {
        String name = LeaseName.of(request.path("lease").asText()).withoutAdmission();
        if (!request.path("image").asText().isEmpty()) {
            throw new ServiceRefusal(NOT_FOUND, "there are no images here");
        }
        if (workload.lost(name)) {
            throw new ServiceRefusal(500, "the sandbox did not start");
        }
        Optional<SimBox> there = sandboxes.sameFence(request);
        SimBox box = there.orElseGet(() -> sandboxes.create(request));
        return answer(
                JSON.createObjectNode().put("id", box.id),
                there.isPresent() ? 0 : workload.startMillis(name));
    }

    private synchronized CompletableFuture<Answer> exec(JsonNode request) {
        SimBox box = sandboxes.use(request);
        String command = request.path("command").asText();
        note(box, request.path("effect").asText(), command);
        List<String> words = List.of(command.split(" ", -1));
        if (words.size() != 3 || !words.get(0).equals("work")) {
            return answer(result(127, command + ": not found", false), 10);
        }
        long attempt = Long.parseUnsignedLong(words.get(1), 16);
        int turn = Integer.parseInt(words.get(2));
        long limit =
                Math.min(TOOL_LIMIT, time.virtualMillis(request.path("timeoutMillis").asLong()));
        long takes = workload.toolMillis(attempt, turn);
        int tokens = workload.observationTokens(attempt, turn);
        String text = "did " + turn + " " + tokens + " " + box.state().get(0);
        return takes >= limit
                ? answer(result(124, text, true), limit)
                : answer(result(0, text, false), takes);
    }

    private synchronized CompletableFuture<Answer> grade(JsonNode request) {
        SimBox box = sandboxes.use(request);
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
        return answer(described(sandboxes.takeOver(request)), 200);
    }

    private synchronized CompletableFuture<Answer> show(JsonNode request) {
        return answer(described(sandboxes.use(request)), 50);
    }

    private synchronized CompletableFuture<Answer> terminate(JsonNode request) {
        sandboxes.terminate(request);
        return answer(JSON.createObjectNode(), 300);
    }

    private synchronized CompletableFuture<Answer> put(JsonNode request) {
        SimBox box = sandboxes.use(request);
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
        sandboxes
                .use(request)
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
        Set<String> keep = new HashSet<>();
        request.path("keep").forEach(lease -> keep.add(lease.asText()));
        int count =
                sandboxes.reap(
                        request.path("owner").asText(), request.path("fence").asLong(), keep);
        return answer(JSON.createObjectNode().put("count", count), 300);
    }

    private synchronized CompletableFuture<Answer> list(JsonNode request) {
        ArrayNode boxes = JSON.createArrayNode();
        sandboxes.all().forEach(box -> boxes.add(described(box)));
        return answer(JSON.createObjectNode().set("sandboxes", boxes), 100);
    }

    private synchronized void lose(String lease) {
        sandboxes.end(lease, "gone");
    }

    private synchronized void expire() {
        sandboxes.expire();
    }

    private static ObjectNode described(SimBox box) {
        ObjectNode body = JSON.createObjectNode().put("id", box.id).put("lease", box.lease);
        body.put("owner", box.owner).put("fence", box.fence).put("since", box.since);
        body.put("admission", LeaseName.of(box.lease).admission());
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

    private static ObjectNode result(int exit, String text, boolean timedOut) {
        return JSON.createObjectNode()
                .put("exit", exit)
                .put("output", text)
                .put("timedOut", timedOut);
    }

    private static CompletableFuture<Answer> answer(JsonNode body, long virtualMillis) {
        return CompletableFuture.completedFuture(new Answer(body, virtualMillis));
    }
}
