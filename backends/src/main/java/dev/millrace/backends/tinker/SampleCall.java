package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One question to a policy, until it is answered, given up or failed. It is asked once more when
 * the sampling session turns out to be unknown, and when the server gives a reason that may be
 * another request's: one bad request fails those that are computed with it.
 */
final class SampleCall {
    private static final int MOST_TRIES = 2;

    private final TinkerClient client;
    private final SamplingSessions sessions;
    private final AtomicInteger numbers;
    private final String uri;
    private final ObjectNode question;
    private final CompletableFuture<SampleResult> result = new CompletableFuture<>();
    private int tries;

    /**
     * @param numbers of questions of this sampler
     * @param question without session and number
     */
    SampleCall(
            TinkerClient client,
            SamplingSessions sessions,
            AtomicInteger numbers,
            String uri,
            ObjectNode question) {
        this.client = client;
        this.sessions = sessions;
        this.numbers = numbers;
        this.uri = uri;
        this.question = question;
    }

    /** A question without session and number. */
    static ObjectNode question(
            int[] prompt, int maxTokens, double temperature, int seed, Iterable<Integer> stop) {
        ObjectNode body = TinkerClient.object();
        body.put("num_samples", 1);
        ObjectNode chunk = body.putObject("prompt").putArray("chunks").addObject();
        chunk.put("type", "encoded_text");
        ArrayNode tokens = chunk.putArray("tokens");
        for (int token : prompt) {
            tokens.add(token);
        }
        ObjectNode parameters = body.putObject("sampling_params");
        parameters.put("max_tokens", maxTokens);
        parameters.put("temperature", temperature);
        parameters.put("top_k", -1);
        parameters.put("top_p", 1.0);
        parameters.put("seed", seed);
        ArrayNode stops = parameters.putArray("stop");
        stop.forEach(stops::add);
        body.put("prompt_logprobs", false);
        body.put("type", "sample");
        return body;
    }

    /** Whoever completes or cancels the future ends the asking. */
    CompletableFuture<SampleResult> start() {
        ask();
        return result;
    }

    private void ask() {
        tries++;
        CompletableFuture<String> session = sessions.of(uri);
        var unused =
                session.thenCompose(this::submit)
                        .thenCompose(this::answered)
                        .whenComplete(
                                (said, thrown) -> {
                                    if (thrown == null) {
                                        result.complete(said);
                                    } else {
                                        failed(session, TinkerException.of(thrown));
                                    }
                                });
    }

    private CompletableFuture<Queued> submit(String session) {
        if (result.isDone()) {
            return CompletableFuture.failedFuture(
                    new TinkerException(Kind.CLOSED, "nobody waits for it"));
        }
        ObjectNode body = question.deepCopy();
        body.put("sampling_session_id", session);
        body.put("seq_id", numbers.getAndIncrement());
        return client.sample(body);
    }

    private CompletableFuture<SampleResult> answered(Queued operation) {
        CompletableFuture<HttpAnswer> answer = client.answer(operation);
        var unused =
                result.whenComplete(
                        (said, thrown) ->
                                answer.completeExceptionally(
                                        new TinkerException(Kind.CLOSED, "nobody waits for it")));
        return answer.thenApply(SampleResult::of);
    }

    private void failed(CompletableFuture<String> session, TinkerException failure) {
        boolean unknown = failure.kind() == Kind.NOT_FOUND;
        boolean unexplained = failure.kind() == Kind.OPERATION && !failure.modelGone();
        if (unknown) {
            sessions.forget(uri, session);
        }
        if ((unknown || unexplained) && tries < MOST_TRIES && !result.isDone()) {
            ask();
        } else {
            result.completeExceptionally(failure);
        }
    }
}
