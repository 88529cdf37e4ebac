package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** JSON over HTTP on this machine. An answer that takes its time holds no thread. */
final class SimServer implements AutoCloseable {
    /** Status that tells an adapter to raise an exception in the task that uses it. */
    static final int TASK_EXCEPTION = 599;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int THREADS = 4;

    /** Answers a request. */
    interface Handler {
        CompletableFuture<Answer> handle(JsonNode request);
    }

    /** Which fault a request may meet. */
    interface Faulty {
        FaultTarget target();

        String id(JsonNode request);

        /** Does what a fault asks for before the request is carried out. */
        void before(JsonNode request, FaultRule fault);
    }

    private final HttpServer server;
    private final VirtualTime time;
    private final ArmedFaults faults;
    private final ScheduledExecutorService threads =
            Executors.newScheduledThreadPool(
                    THREADS,
                    task -> {
                        Thread thread = new Thread(task, "service");
                        thread.setDaemon(true);
                        return thread;
                    });

    /**
     * @param port 0 for any
     */
    SimServer(int port, VirtualTime time, ArmedFaults faults) throws IOException {
        this.time = time;
        this.faults = faults;
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        route("/faults", this::armFault);
        route("/strikes", this::firstStrike);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Serves a path that no fault concerns. */
    void route(String path, Handler handler) {
        server.createContext(path, exchange -> serve(exchange, handler, Optional.empty()));
    }

    /** Serves a path. */
    void route(String path, Faulty faulty, Handler handler) {
        server.createContext(path, exchange -> serve(exchange, handler, Optional.of(faulty)));
    }

    /** Does something again and again. */
    void every(long millis, Runnable what) {
        var unused = threads.scheduleWithFixedDelay(what, millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private CompletableFuture<Answer> armFault(JsonNode request) {
        try {
            int number = faults.arm(FaultPlan.parse(request.path("rule").asText(), "the rule"));
            return CompletableFuture.completedFuture(
                    new Answer(JSON.createObjectNode().put("number", number), 0));
        } catch (FaultPlanException e) {
            throw new ServiceRefusal(400, e.getMessage());
        }
    }

    private CompletableFuture<Answer> firstStrike(JsonNode request) {
        long at = faults.firstStrike(request.path("number").asInt()).orElse(-1);
        return CompletableFuture.completedFuture(
                new Answer(JSON.createObjectNode().put("at", at), 0));
    }

    private void serve(HttpExchange exchange, Handler handler, Optional<Faulty> faulty) {
        try {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            FaultRule fault =
                    faulty.flatMap(f -> faults.next(f.target(), f.id(request))).orElse(null);
            if (fault != null) {
                faulty.orElseThrow().before(request, fault);
                refuse(fault);
            }
            var unused =
                    handler.handle(request)
                            .whenComplete(
                                    (answer, problem) -> later(exchange, fault, answer, problem));
        } catch (IOException e) {
            send(exchange, 400, error("The request is no JSON"));
        } catch (ServiceRefusal e) {
            send(exchange, e.status(), error(e.getMessage()));
        } catch (RuntimeException e) {
            send(exchange, 500, error(e.toString()));
        }
    }

    private static void refuse(FaultRule fault) {
        if (fault.effect() == FaultEffect.STATUS) {
            throw new ServiceRefusal(fault.status(), "injected");
        }
        if (fault.effect() == FaultEffect.TASK_EXCEPTION) {
            throw new ServiceRefusal(TASK_EXCEPTION, "injected task exception");
        }
    }

    private void later(HttpExchange exchange, FaultRule fault, Answer answer, Throwable problem) {
        if (problem != null) {
            Throwable root = problem instanceof CompletionException ? problem.getCause() : problem;
            int status = root instanceof ServiceRefusal refusal ? refusal.status() : 500;
            send(exchange, status, error(String.valueOf(root.getMessage())));
        } else if (fault == null || fault.effect() != FaultEffect.HANG) {
            long slow = fault == null ? 0 : fault.slowMillis();
            var unused =
                    threads.schedule(
                            () -> send(exchange, 200, answer.body()),
                            time.realMillis(answer.virtualMillis() + slow),
                            TimeUnit.MILLISECONDS);
        }
    }

    private static JsonNode error(String message) {
        return JSON.createObjectNode().put("error", message);
    }

    private static void send(HttpExchange exchange, int status, JsonNode body) {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            // The client is gone: what it asked for was done, and nobody is left to hear of it.
        }
    }
}
