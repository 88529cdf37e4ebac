package dev.millrace.backends.tinker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One sampling session for each policy that is asked, within one server session. Those that were
 * not asked for longest are forgotten.
 */
final class SamplingSessions implements AutoCloseable {
    private static final int MOST = 64;

    private final TinkerClient client;
    private final Map<String, CompletableFuture<String>> byUri =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<String, CompletableFuture<String>> eldest) {
                    return size() > MOST;
                }
            };
    private CompletableFuture<ServerSession> session;
    private int made;
    private boolean closed;

    SamplingSessions(TinkerClient client) {
        this.client = client;
    }

    /** The sampling session's id. */
    synchronized CompletableFuture<String> of(String uri) {
        if (session == null || session.isCompletedExceptionally() || lost(session)) {
            byUri.clear();
            session = ServerSession.open(client, "sampler");
            var unused = session.thenAccept(this::closeIfLate);
        }
        CompletableFuture<String> known = byUri.get(uri);
        if (known == null || known.isCompletedExceptionally()) {
            known = session.thenCompose(open -> create(open, uri));
            byUri.put(uri, known);
        }
        return known;
    }

    /** The next question about this policy gets a new sampling session, in a new server session. */
    synchronized void forget(String uri, CompletableFuture<String> unusable) {
        if (byUri.get(uri) == unusable) {
            byUri.clear();
            if (session != null && session.isDone() && !session.isCompletedExceptionally()) {
                session.join().close();
            }
            session = null;
        }
    }

    private static boolean lost(CompletableFuture<ServerSession> open) {
        return open.isDone() && open.join().lost().isCompletedExceptionally();
    }

    private CompletableFuture<String> create(ServerSession open, String uri) {
        ObjectNode body = TinkerClient.object();
        body.put("session_id", open.id());
        body.put("sampling_session_seq_id", number());
        if (PolicyUris.isBaseModel(uri)) {
            body.put("base_model", PolicyUris.baseModel(uri));
        } else {
            body.put("model_path", uri);
        }
        body.put("type", "create_sampling_session");
        return client.createSamplingSession(body);
    }

    private synchronized int number() {
        return made++;
    }

    private synchronized void closeIfLate(ServerSession open) {
        if (closed) {
            open.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (session != null && session.isDone() && !session.isCompletedExceptionally()) {
            session.join().close();
        }
    }
}
