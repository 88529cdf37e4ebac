package dev.millrace.backends.docker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A daemon's side of the protocol, with prepared answers: what a real one says only when it is in
 * trouble. It runs no commands.
 */
final class FakeEngine implements AutoCloseable {
    private static final String INFO =
            "{\"MemoryLimit\":true,\"PidsLimit\":true,\"CpuCfsQuota\":true,\"Driver\":\"btrfs\","
                    + "\"CgroupVersion\":\"2\",\"SecurityOptions\":[\"name=seccomp\"]}";

    private final ServerSocketChannel server;
    private final Path socket;
    private final Map<String, byte[]> answers = new LinkedHashMap<>();
    private final List<String> requests = new ArrayList<>();
    private final List<String> bodies = new ArrayList<>();

    FakeEngine(Path socket) throws IOException {
        this.socket = socket;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        answer("GET /_ping", "200 OK\r\nApi-Version: 1.45", "OK");
        answer("GET /v1.44/info", "200 OK", INFO);
        answer("GET /v1.44/containers/json", "200 OK", "[]");
        answer("GET /v1.44/images/", "200 OK", "{\"Size\": 1000}");
        answer("DELETE /v1.44/containers/", "404 Not Found", "{\"message\":\"no such\"}");
        Thread thread = new Thread(this::serve, "fake-engine");
        thread.setDaemon(true);
        thread.start();
    }

    Path socket() {
        return socket;
    }

    /** To requests that begin so; the latest that fits counts. */
    void answer(String request, String statusAndHeaders, String body) {
        raw(
                request,
                "HTTP/1.1 "
                        + statusAndHeaders
                        + "\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.UTF_8).length
                        + "\r\n\r\n"
                        + body);
    }

    /** The same, byte for byte; empty for no answer at all. */
    synchronized void raw(String request, String bytes) {
        answers.put(request, bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** First lines of what was asked, in order. */
    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** What was sent with those requests that begin so. */
    synchronized List<String> bodies(String request) {
        return bodies.stream()
                .filter(body -> body.startsWith(request))
                .map(body -> body.substring(body.indexOf('\n') + 1))
                .toList();
    }

    private void serve() {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                Thread thread = new Thread(() -> talk(connection), "fake-engine-connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void talk(SocketChannel connection) {
        try (connection) {
            InputStream in = Channels.newInputStream(connection);
            String head = head(in);
            String first = head.substring(0, head.indexOf(" HTTP/1.1"));
            byte[] body = in.readNBytes(length(head));
            byte[] answer;
            synchronized (this) {
                requests.add(first);
                bodies.add(first + "\n" + new String(body, StandardCharsets.UTF_8));
                answer =
                        answers.entrySet().stream()
                                .filter(entry -> first.startsWith(entry.getKey()))
                                .map(Map.Entry::getValue)
                                .reduce((older, newer) -> newer)
                                .orElse("HTTP/1.1 501 No\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            }
            OutputStream out = Channels.newOutputStream(connection);
            out.write(answer);
            if (answer.length == 0) {
                // Until the other side gives up.
                in.read();
            }
        } catch (IOException gone) {
            return;
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("cut off");
            }
            head.write(c);
        }
        return head.toString(StandardCharsets.UTF_8);
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring(16)))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
