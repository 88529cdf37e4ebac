package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks for the results of queued operations until they are there. Waits on no thread. */
final class FuturePoller {
    private static final Logger LOG = LoggerFactory.getLogger(FuturePoller.class);
    private static final String PATH = "/api/v1/retrieve_future";
    private static final long FLOOR_MILLIS = 200;
    private static final long MOST_PAUSE_MILLIS = 30_000;
    private static final long BILLING_PAUSE_MILLIS = 5_000;
    private static final long BILLING_PATIENCE_MILLIS = 3_600_000;
    private static final long PAUSE_LOG_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int EMPTY_REFUSALS = 3;

    private final HttpTransport transport;
    private final Timer timer;
    private final TinkerTimes times;

    FuturePoller(HttpTransport transport, Timer timer, TinkerTimes times) {
        this.transport = transport;
        this.timer = timer;
        this.times = times;
    }

    /**
     * The result of an operation. Whoever completes or cancels the future ends the polling.
     *
     * @param type of the operation, for the server's logs
     */
    CompletableFuture<HttpAnswer> await(String requestId, String type) {
        Poll poll = new Poll(requestId, type);
        poll.ask();
        return poll.result;
    }

    private final class Poll {
        private final CompletableFuture<HttpAnswer> result = new CompletableFuture<>();
        private final String requestId;
        private final String type;
        private int iteration;
        private int silences;
        private int emptyRefusals;
        private boolean metadataAllowed = true;
        private long silentSince = System.nanoTime();
        private long unpaidSince;
        private long pauseLogged = System.nanoTime() - PAUSE_LOG_NANOS;

        Poll(String requestId, String type) {
            this.requestId = requestId;
            this.type = type;
        }

        void ask() {
            if (result.isDone()) {
                return;
            }
            ObjectNode body = HttpAnswer.JSON.createObjectNode();
            body.put("request_id", requestId);
            body.put("allow_metadata_only", metadataAllowed);
            HttpCall call =
                    HttpCall.post(PATH, body, times.poll())
                            .with(
                                    Map.of(
                                            "X-Tinker-Request-Iteration",
                                            Integer.toString(iteration++),
                                            "X-Tinker-Request-Type",
                                            type));
            var unused =
                    transport
                            .send(call)
                            .whenComplete(
                                    (answer, thrown) -> {
                                        try {
                                            if (thrown == null) {
                                                answered(answer);
                                            } else {
                                                silent(TinkerException.of(thrown));
                                            }
                                        } catch (RuntimeException e) {
                                            result.completeExceptionally(e);
                                        }
                                    });
        }

        private void answered(HttpAnswer answer) {
            if (answer.status() != 429) {
                silences = 0;
                silentSince = System.nanoTime();
            }
            int status = answer.status();
            if (answer.ok()) {
                succeeded(answer);
            } else if (status == 408 || status >= 500) {
                notePause(answer);
                again(FLOOR_MILLIS);
            } else if (status == 429) {
                silent(answer.problem(type));
            } else if (status == 402) {
                unpaid(answer);
            } else if (status == 400 && answer.detail().isEmpty()) {
                refusedWithoutReason(answer);
            } else if (status == 400) {
                fail(Kind.OPERATION, answer.detail());
            } else {
                result.completeExceptionally(answer.problem(type));
            }
        }

        private void succeeded(HttpAnswer answer) {
            if (answer.isProtobuf()) {
                result.complete(answer);
                return;
            }
            JsonNode body = answer.json();
            if (body.path("type").asText().equals("try_again")) {
                notePause(answer);
                again(FLOOR_MILLIS);
            } else if (body.path("status").asText().equals("complete_metadata")) {
                metadataAllowed = false;
                again(0);
            } else if (body.hasNonNull("error")) {
                fail(Kind.OPERATION, body.path("error").asText());
            } else {
                result.complete(answer);
            }
        }

        /** Nothing was said, or to come later. */
        private void silent(TinkerException why) {
            long silentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - silentSince);
            if (silentMillis > times.retry() + times.poll()) {
                result.completeExceptionally(why);
                return;
            }
            if (why.kind() == Kind.TIMED_OUT) {
                again(FLOOR_MILLIS);
                return;
            }
            long pause = Math.min(times.backoff() << Math.min(silences++, 10), MOST_PAUSE_MILLIS);
            again(Math.max(why.retryAfterMillis(), pause));
        }

        private void unpaid(HttpAnswer answer) {
            long now = System.nanoTime();
            unpaidSince = unpaidSince == 0 ? now : unpaidSince;
            if (TimeUnit.NANOSECONDS.toMillis(now - unpaidSince) > BILLING_PATIENCE_MILLIS) {
                result.completeExceptionally(answer.problem(type));
                return;
            }
            logPause("billing", answer.detail());
            again(BILLING_PAUSE_MILLIS);
        }

        /** A proxy's word, perhaps, and not the server's. */
        private void refusedWithoutReason(HttpAnswer answer) {
            if (++emptyRefusals > EMPTY_REFUSALS) {
                result.completeExceptionally(answer.problem(type));
            } else {
                again(FLOOR_MILLIS);
            }
        }

        private void notePause(HttpAnswer answer) {
            JsonNode body = answer.jsonIfAny();
            String state = body.path("queue_state").asText("active");
            if (!state.equals("active")) {
                logPause(state, body.path("queue_state_reason").asText(""));
            }
        }

        private void logPause(String state, String reason) {
            long now = System.nanoTime();
            if (now - pauseLogged >= PAUSE_LOG_NANOS) {
                pauseLogged = now;
                LOG.warn(
                        "The server has paused an operation type={} state={} reason={}",
                        type,
                        state,
                        reason);
            }
        }

        private void fail(Kind kind, String message) {
            result.completeExceptionally(new TinkerException(kind, type + ": " + message));
        }

        private void again(long millis) {
            timer.after(millis, this::ask, () -> fail(Kind.CLOSED, "the client was closed"));
        }
    }
}
