package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of the Tinker protocol on a free local port, with a bigram model behind it. */
public final class FakeTinkerServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API = "/api/v1/";
    private static final int THREADS = 32;

    private final ServerShape shape;
    private final ServerFaults faults = new ServerFaults();
    private final FakeEngine engine;
    private final Operations operations;
    private final FakeCalls calls;
    private final HttpServer http;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    THREADS,
                    task -> {
                        Thread thread = new Thread(task, "fake-tinker-http");
                        thread.setDaemon(true);
                        return thread;
                    });
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Starts it. */
    public FakeTinkerServer(ServerShape shape) throws IOException {
        this.shape = shape;
        engine = new FakeEngine(shape, faults);
        operations = new Operations(faults);
        calls = new FakeCalls(shape, faults, engine, operations);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::handle);
        http.setExecutor(threads);
        http.start();
    }

    /** Where it listens. */
    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** What it has. */
    public ServerShape shape() {
        return shape;
    }

    /** What goes wrong. */
    public ServerFaults faults() {
        return faults;
    }

    /** What it has done. */
    public ServerCounts counts() {
        return engine.counts();
    }

    /** Calls that came, in order, polls left out. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** All models are gone, as after a restart; checkpoints and results are not. */
    public void forgetModels() {
        calls.forgetModels();
    }

    /** All sessions end, and with them all models. */
    public void forgetSessions() {
        calls.forgetSessions();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String call = exchange.getRequestURI().getPath().replaceFirst("^" + API, "");
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!call.equals("retrieve_future")) {
                log.add(call);
            }
            try {
                respond(exchange, call, body);
            } catch (Refusal refusal) {
                send(
                        exchange,
                        refusal.status(),
                        JSON.createObjectNode().put("detail", refusal.getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void respond(HttpExchange exchange, String call, byte[] body)
            throws IOException, InterruptedException {
        String key = exchange.getRequestHeaders().getFirst("X-API-Key");
        if (!shape.key().isEmpty() && !shape.key().equals(key)) {
            throw new Refusal(401, "Invalid API key");
        }
        int refusal = faults.refusal(call);
        if (refusal != 0) {
            throw new Refusal(refusal, "refused by plan");
        }
        boolean protobuf =
                exchange.getRequestHeaders().getFirst("Content-Type") != null
                        && exchange.getRequestHeaders()
                                .getFirst("Content-Type")
                                .contains("protobuf");
        if (faults.takesOnlyProtobuf && call.equals("forward_backward") && !protobuf) {
            throw new Refusal(415, "application/x-protobuf is required");
        }
        JsonNode answer;
        if (call.startsWith("training_runs/")) {
            answer = engine.list(call.split("/", -1)[1]);
        } else {
            answer = calls.answer(call, protobuf ? ProtobufCall.read(body) : JSON.readTree(body));
        }
        if (!faults.losesReply(call)) {
            send(exchange, 200, answer);
        }
    }

    private static void send(HttpExchange exchange, int status, JsonNode answer)
            throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(answer);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
        operations.close();
        threads.shutdownNow();
    }
}
