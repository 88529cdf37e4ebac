package dev.millrace.jobs.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Chooses ports of this machine. */
final class FreePort {
    private FreePort() {}

    /** The port, or a free one when it is 0. */
    static int orAny(int port) {
        if (port != 0) {
            return port;
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("No port is free", e);
        }
    }
}
