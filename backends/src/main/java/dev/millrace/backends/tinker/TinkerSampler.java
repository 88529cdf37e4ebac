package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.tinker.TinkerException.Kind;
import dev.millrace.udfs.model.PolicyRef;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Samples from a server's publications and base models. A server that fails to answer is reported
 * as away; who asks decides how long to wait for it.
 *
 * <p>Causes of failure besides: {@code version_gone}, {@code bad_request}, {@code server_failed},
 * {@code closed}.
 */
public final class TinkerSampler implements Sampler {
    private static final int MOST_OPEN = 2000;

    private final TinkerSettings settings;
    private final TinkerClient client;
    private final SamplingSessions sessions;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean closed;

    /** A sampler that reads its key from the environment. */
    public TinkerSampler(TinkerSettings settings) {
        this(settings, ApiKey.fromEnvironment());
    }

    TinkerSampler(TinkerSettings settings, ApiKey key) {
        this.settings = settings;
        this.client = new TinkerClient(settings, key);
        this.sessions = new SamplingSessions(client);
    }

    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        int[] prompt = request.prompt();
        boolean possible = request.maxTokens() >= 1 && request.temperature() >= 0;
        if (!possible || !fits(prompt, request.maxTokens())) {
            return refused(prompt.length, request.maxTokens());
        }
        ObjectNode question =
                SampleCall.question(
                        prompt,
                        request.maxTokens(),
                        request.temperature(),
                        Seed32.of(request.seed()),
                        settings.stopTokens());
        return ask(
                request.policy().uri(),
                question,
                said ->
                        new Completion(
                                said.tokens(),
                                said.logprobs(),
                                request.policy().version(),
                                said.stopped()));
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        if (!fits(tokens, 0)) {
            return refused(tokens.length, 0);
        }
        ObjectNode question = SampleCall.question(tokens, 1, 1, 0, settings.stopTokens());
        question.put("prompt_logprobs", true);
        int length = tokens.length;
        return ask(policy.uri(), question, said -> said.ofPrompt(length));
    }

    private boolean fits(int[] prompt, int more) {
        boolean fits = prompt.length > 0 && prompt.length + more <= settings.contextTokens();
        for (int token : prompt) {
            fits &= LossData.isToken(token, settings.vocabulary());
        }
        return fits;
    }

    private <T> CompletableFuture<T> refused(int length, int more) {
        return CompletableFuture.failedFuture(
                new SamplerException(
                        "bad_request",
                        "The prompt is empty, holds a token that is none, or is too long: "
                                + length
                                + " tokens and "
                                + more
                                + " to sample, the model takes "
                                + settings.contextTokens()
                                + "."));
    }

    private <T> CompletableFuture<T> ask(
            String uri, ObjectNode question, Function<SampleResult, T> read) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new SamplerException("closed", "The sampler is closed."));
        }
        if (open.incrementAndGet() > MOST_OPEN) {
            open.decrementAndGet();
            return CompletableFuture.failedFuture(
                    SamplerException.away("overloaded", MOST_OPEN + " requests are open.", 0));
        }
        CompletableFuture<SampleResult> said =
                new SampleCall(client, sessions, numbers, uri, question).start();
        CompletableFuture<T> answer = new CompletableFuture<>();
        var unusedEnd =
                answer.whenComplete(
                        (value, thrown) -> {
                            open.decrementAndGet();
                            said.cancel(false);
                        });
        var unused =
                said.thenApply(read)
                        .whenComplete(
                                (value, thrown) -> {
                                    if (thrown == null) {
                                        answer.complete(value);
                                    } else {
                                        answer.completeExceptionally(
                                                failure(TinkerException.of(thrown)));
                                    }
                                });
        return answer;
    }

    private static SamplerException failure(TinkerException e) {
        String said = e.getMessage();
        if (e.kind() == Kind.UNAUTHORIZED) {
            return SamplerException.refused(said);
        }
        List<Kind> passing = List.of(Kind.NOT_READY, Kind.BILLING, Kind.RESULT_LOST);
        if (e.passing() || passing.contains(e.kind())) {
            return SamplerException.away("server_away", said, e.retryAfterMillis());
        }
        if (e.modelGone()) {
            return new SamplerException("version_gone", said);
        }
        return switch (e.kind()) {
            case INVALID -> new SamplerException("bad_request", said);
            case CLOSED -> new SamplerException("closed", said);
            default -> new SamplerException("server_failed", said);
        };
    }

    @Override
    public void close() {
        closed = true;
        sessions.close();
        client.close();
    }
}
