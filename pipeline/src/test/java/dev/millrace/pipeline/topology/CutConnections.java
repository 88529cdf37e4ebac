package dev.millrace.pipeline.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands before an HTTP server. Told to, it lets half of the body of a request through, cuts the
 * connection, and is away until it is told to come back.
 */
final class CutConnections implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    /** Shorter bodies may be all there already. */
    private static final long SHORTEST = 200;

    private final ServerSocket entrance;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Pattern wanted;
    private volatile boolean away;
    private volatile CountDownLatch cut = new CountDownLatch(1);

    private CutConnections(ServerSocket entrance, int target) {
        this.entrance = entrance;
        this.target = target;
    }

    static CutConnections before(int target) throws IOException {
        CutConnections cutting =
                new CutConnections(
                        new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), target);
        start(cutting::accept);
        return cutting;
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** Cuts the next request whose first line matches. */
    void cutNext(String request) {
        cut = new CountDownLatch(1);
        wanted = Pattern.compile(request);
    }

    /** Whether that has happened by then. */
    boolean awaitCut(long seconds) throws InterruptedException {
        return cut.await(seconds, TimeUnit.SECONDS);
    }

    void comeBack() {
        away = false;
    }

    @Override
    public void close() throws IOException {
        away = true;
        entrance.close();
        open.forEach(CutConnections::end);
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                if (away) {
                    end(client);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                start(() -> requests(client, server));
                start(() -> pass(server, client));
            } catch (IOException closed) {
                // The entrance is, which ends the loop, or the server is away.
            }
        }
    }

    private void requests(Socket client, Socket server) {
        byte[] buffer = new byte[1 << 16];
        long left = Long.MAX_VALUE;
        try {
            InputStream in = client.getInputStream();
            OutputStream out = server.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (left == Long.MAX_VALUE) {
                    left = allowed(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                }
                out.write(buffer, 0, (int) Math.min(read, left));
                out.flush();
                left = left == Long.MAX_VALUE ? left : left - Math.min(read, left);
                if (left == 0) {
                    away = true;
                    open.forEach(CutConnections::end);
                    cut.countDown();
                    return;
                }
            }
        } catch (IOException over) {
            // Either side has ended it.
        } finally {
            end(client);
            end(server);
        }
    }

    /** Bytes of what follows that may pass: all, or a request's head and half of its body. */
    private synchronized long allowed(String start) {
        int head = start.indexOf("\r\n\r\n");
        if (wanted == null || head < 0) {
            return Long.MAX_VALUE;
        }
        Matcher length = LENGTH.matcher(start.substring(0, head));
        String line = start.substring(0, start.indexOf("\r\n"));
        boolean meant = wanted.matcher(line).find() && length.find();
        if (!meant || Long.parseLong(length.group(1)) < SHORTEST) {
            return Long.MAX_VALUE;
        }
        wanted = null;
        return head + 4 + Long.parseLong(length.group(1)) / 2;
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException over) {
            // Either side has ended it.
        } finally {
            end(from);
            end(to);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cut-connections");
        thread.setDaemon(true);
        thread.start();
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyOver) {
            // That was the aim.
        }
    }
}
