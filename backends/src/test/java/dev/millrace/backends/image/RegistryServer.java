package dev.millrace.backends.image;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A registry with one image, which asks for a token and keeps blobs elsewhere. */
final class RegistryServer implements AutoCloseable {
    static final String NAME = "team/tool";
    private static final String TOKEN = "fake-token-1";

    final List<String> asked = new ArrayList<>();
    private final HttpServer registry;
    private final HttpServer store;
    private final Map<String, byte[]> documents = new HashMap<>();
    private final Map<String, byte[]> blobs = new HashMap<>();
    private int busy;

    RegistryServer() throws IOException {
        registry = server(this::answer);
        store = server(this::content);
    }

    private static HttpServer server(com.sun.net.httpserver.HttpHandler handler)
            throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    /** Its image by tag. */
    RegistryReference image(String tag) throws ImageException {
        return RegistryReference.parse(
                "localhost:" + registry.getAddress().getPort() + "/" + NAME + ":" + tag);
    }

    /** A document under a tag, and under its digest. */
    String document(String tag, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        documents.put(tag, bytes);
        documents.put(Digests.of(bytes), bytes);
        return Digests.of(bytes);
    }

    /** Content under its digest, or another one. */
    void blob(String digest, byte[] content) {
        blobs.put(digest, content);
    }

    /** Answers so many times that it is asked too often. */
    synchronized void beBusy(int times) {
        busy = times;
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        asked.add(path);
        if (path.equals("/token")) {
            boolean scoped = exchange.getRequestURI().getQuery().contains("repository:" + NAME);
            String json = "{\"token\":\"" + TOKEN + "\"}";
            reply(exchange, scoped ? 200 : 403, json.getBytes(StandardCharsets.UTF_8));
        } else if (!("Bearer " + TOKEN).equals(given)) {
            String realm = "http://localhost:" + registry.getAddress().getPort() + "/token";
            exchange.getResponseHeaders()
                    .add("WWW-Authenticate", "Bearer realm=\"" + realm + "\",service=\"s\"");
            reply(exchange, 401, new byte[0]);
        } else if (busy > 0) {
            busy--;
            exchange.getResponseHeaders().add("Retry-After", "7");
            reply(exchange, 429, new byte[0]);
        } else if (path.startsWith("/v2/" + NAME + "/manifests/")) {
            reply(exchange, documents.get(path.substring(path.lastIndexOf('/') + 1)));
        } else {
            String place = "http://127.0.0.1:" + store.getAddress().getPort() + path;
            exchange.getResponseHeaders().add("Location", place);
            reply(exchange, 307, new byte[0]);
        }
    }

    private synchronized void content(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean leaked = exchange.getRequestHeaders().containsKey("Authorization");
        byte[] found = blobs.get(path.substring(path.lastIndexOf('/') + 1));
        reply(exchange, leaked ? null : found);
    }

    private static void reply(HttpExchange exchange, byte[] found) throws IOException {
        reply(exchange, found == null ? 404 : 200, found == null ? new byte[0] : found);
    }

    private static void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        registry.stop(0);
        store.stop(0);
    }
}
