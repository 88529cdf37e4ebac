package dev.millrace.backends.tinker;

import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session on a server, kept alive by heartbeats on a thread of their own, so that nothing that
 * waits for results keeps them back. A server drops what was made in a session, adapters too, once
 * its heartbeats stop.
 */
final class ServerSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);
    private static final long SILENCE_WARNED_MILLIS = 120_000;
    private static final int BEATS_A_LOOK = 3;

    private final TinkerClient client;
    private final String id;
    private final Timer heart;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private volatile String modelId = "";
    private volatile Supplier<CompletableFuture<?>> sign;

    /** Of the heart's thread. */
    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);

    private volatile long lastAnswer = System.nanoTime();
    private int beats;

    private ServerSession(TinkerClient client, String id) {
        this.client = client;
        this.id = id;
        this.heart = new Timer("tinker-heartbeat");
    }

    /** Opens a session; it has had its first heartbeat, without which servers never end it. */
    static CompletableFuture<ServerSession> open(TinkerClient client, String tag) {
        return client.createSession(tag)
                .thenCompose(id -> client.heartbeat(id).handle((beat, missed) -> id))
                .thenApply(
                        id -> {
                            ServerSession session = new ServerSession(client, id);
                            session.heart.every(
                                    client.settings().times().heartbeat(), session::beat);
                            return session;
                        });
    }

    String id() {
        return id;
    }

    /** From now on the session is lost when this model is not loaded any more. */
    void watch(String model) {
        modelId = model;
    }

    /**
     * From now on the session is lost, too, when the model does not answer that because it is not
     * loaded. After a restart some servers take models for loaded that they have lost.
     */
    void ask(Supplier<CompletableFuture<?>> question) {
        sign = question;
    }

    /** Fails with {@link TinkerException} once the server has dropped the session. */
    CompletableFuture<Void> lost() {
        return lost;
    }

    /** Ends the heartbeats; the server ends the rest. */
    @Override
    public void close() {
        heart.close();
    }

    /** Whatever goes wrong with one beat, the next one comes. */
    private void beat() {
        try {
            send();
        } catch (RuntimeException e) {
            LOG.warn("A heartbeat could not be sent session={}", id, e);
        }
    }

    private void send() {
        if (client.isClosed()) {
            heart.close();
            return;
        }
        var unused = client.heartbeat(id).whenComplete((beat, thrown) -> beaten(thrown));
        if (!modelId.isEmpty() && ++beats % BEATS_A_LOOK == 0) {
            look(modelId);
            listen();
        }
    }

    private void beaten(Throwable thrown) {
        if (thrown == null) {
            lastAnswer = System.nanoTime();
            return;
        }
        TinkerException failure = TinkerException.of(thrown);
        if (failure.kind() == Kind.NOT_FOUND) {
            lose("the server does not know session " + id + " any more");
            return;
        }
        long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastAnswer);
        if (silent > SILENCE_WARNED_MILLIS) {
            LOG.warn(
                    "No heartbeat is answered session={} silentMillis={} reason={}",
                    id,
                    silent,
                    failure.getMessage());
        }
    }

    /** Servers answer heartbeats of sessions that they have ended. */
    private void look(String model) {
        var unused =
                client.info(model)
                        .whenComplete(
                                (info, thrown) -> {
                                    boolean unknown =
                                            thrown != null
                                                    && TinkerException.of(thrown).kind()
                                                            == Kind.NOT_FOUND;
                                    if (unknown
                                            || (thrown == null
                                                    && info.path("status")
                                                            .asText()
                                                            .startsWith("unload"))) {
                                        lose("the server has unloaded model " + model);
                                    }
                                });
    }

    /** A server that is slow to answer one question is not asked another. */
    private void listen() {
        Supplier<CompletableFuture<?>> question = sign;
        if (question != null && asked.isDone()) {
            asked =
                    question.get()
                            .whenComplete(
                                    (answer, thrown) -> {
                                        if (thrown != null
                                                && TinkerException.of(thrown).unloaded()) {
                                            lose("the server has lost model " + modelId);
                                        }
                                    });
        }
    }

    private void lose(String why) {
        heart.close();
        if (lost.completeExceptionally(new TinkerException(Kind.NOT_FOUND, why))) {
            LOG.warn("A session is lost session={} reason={}", id, why);
        }
    }
}
