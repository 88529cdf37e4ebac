package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Operations of a server, one after the other in order of arrival; results are kept for ever. */
final class Operations implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerFaults faults;
    private final Map<String, CompletableFuture<JsonNode>> results = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final ExecutorService engine =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "fake-tinker-engine");
                        thread.setDaemon(true);
                        return thread;
                    });

    Operations(ServerFaults faults) {
        this.faults = faults;
    }

    ObjectNode queue(Supplier<JsonNode> work) {
        String id = Integer.toString(count.incrementAndGet());
        results.put(id, CompletableFuture.supplyAsync(() -> slowly(work), engine));
        return promise(id);
    }

    static ObjectNode promise(String id) {
        return JSON.createObjectNode().put("request_id", id).put("status", "pending");
    }

    private JsonNode slowly(Supplier<JsonNode> work) {
        try {
            TimeUnit.MILLISECONDS.sleep(faults.operationMillis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return work.get();
    }

    /** The result, waited for a while. */
    JsonNode result(String id, long holdMillis) throws InterruptedException {
        CompletableFuture<JsonNode> result = results.get(id);
        if (result == null) {
            throw new Refusal(404, "Future not found");
        }
        try {
            return result.get(faults.saysTryAgain ? 1 : holdMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException unfinished) {
            if (faults.saysTryAgain) {
                return JSON.createObjectNode()
                        .put("type", "try_again")
                        .put("request_id", id)
                        .put("queue_state", "paused_capacity");
            }
            throw new Refusal(408, "Timeout waiting for result");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                throw new Refusal(400, refusal.getMessage());
            }
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        engine.shutdownNow();
    }
}
