package dev.millrace.backends.tinker;

import dev.millrace.backends.tinker.TinkerException.Kind;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends calls to one server. Never blocks, never asks twice. Thread-safe. */
final class HttpTransport {
    private static final long BODY_GRACE_MILLIS = 5_000;

    private final String base;
    private final ApiKey key;
    private final HttpClient client;

    /**
     * @throws IllegalArgumentException when the address is none
     */
    HttpTransport(String baseUrl, ApiKey key, TinkerTimes times) {
        String stripped = baseUrl.replaceAll("/+$", "");
        URI address = URI.create(stripped);
        if (address.getHost() == null || !String.valueOf(address.getScheme()).matches("https?")) {
            throw new IllegalArgumentException(baseUrl + " is no http or https address");
        }
        this.base = stripped;
        this.key = key;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofMillis(times.connect()))
                        .build();
    }

    /** The answer, whatever its status; fails with {@link TinkerException} when there is none. */
    CompletableFuture<HttpAnswer> send(HttpCall call) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + call.path()))
                        .timeout(Duration.ofMillis(call.timeoutMillis()))
                        .header("User-Agent", "millrace")
                        .header("Accept", HttpCall.JSON);
        key.header().ifPresent(value -> request.header("X-API-Key", value));
        call.headers().forEach(request::setHeader);
        if (call.method().equals("POST")) {
            request.header("Content-Type", call.contentType());
            request.POST(BodyPublishers.ofByteArray(call.body()));
        } else {
            request.method(call.method(), BodyPublishers.noBody());
        }
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(request.build(), LimitedBody.handler());
        return response.copy()
                // The client's own limit ends with the headers.
                .orTimeout(call.timeoutMillis() + BODY_GRACE_MILLIS, TimeUnit.MILLISECONDS)
                .handle(
                        (answer, thrown) -> {
                            if (thrown != null) {
                                response.cancel(true);
                                throw new CompletionException(failure(call, thrown));
                            }
                            return answer(answer);
                        });
    }

    private static HttpAnswer answer(HttpResponse<byte[]> response) {
        return new HttpAnswer(
                response.statusCode(),
                response.headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .toLowerCase(java.util.Locale.ROOT),
                response.body(),
                RetryAfter.millis(response.headers()));
    }

    private TinkerException failure(HttpCall call, Throwable thrown) {
        Throwable root = thrown;
        while (root instanceof CompletionException && root.getCause() != null) {
            root = root.getCause();
        }
        boolean unreachable =
                root instanceof ConnectException
                        || root instanceof HttpConnectTimeoutException
                        || root instanceof UnresolvedAddressException;
        boolean late = root instanceof HttpTimeoutException || root instanceof TimeoutException;
        Kind kind = unreachable ? Kind.UNREACHABLE : late ? Kind.TIMED_OUT : Kind.UNANSWERED;
        return new TinkerException(
                kind,
                call.path() + ": no answer from " + base + " (" + reason(root) + ")",
                0,
                root);
    }

    private static String reason(Throwable root) {
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
