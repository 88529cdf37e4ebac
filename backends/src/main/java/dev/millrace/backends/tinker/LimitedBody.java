package dev.millrace.backends.tinker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Gathers a body, and gives up on one that does not end. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private static final int MOST_BYTES = 256 << 20;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    static BodyHandler<byte[]> handler() {
        return info -> new LimitedBody();
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription source) {
        subscription = source;
        source.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (gathered.size() + part.remaining() > MOST_BYTES) {
                subscription.cancel();
                body.completeExceptionally(
                        new IOException("the answer is longer than " + MOST_BYTES + " bytes"));
                return;
            }
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            gathered.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        body.complete(gathered.toByteArray());
    }
}
