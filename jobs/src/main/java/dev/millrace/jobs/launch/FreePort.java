package dev.millrace.jobs.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Chooses ports of this machine. */
public final class FreePort {
    private FreePort() {}

    /** The port, or a free one when it is 0. */
    public static int orAny(int port) {
        return port != 0 ? port : any(1).get(0);
    }

    /** Different free ports. Whoever wants one takes it soon: nothing reserves it. */
    public static List<Integer> any(int count) {
        List<ServerSocket> open = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return open.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free", e);
        } finally {
            open.forEach(FreePort::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
