package dev.millrace.jobs.preflight;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;

/**
 * The web UI's port must be free.
 *
 * @param port 0 for any free port
 */
public record WebPortCheck(int port) implements Check {

    @Override
    public Optional<String> refusal() {
        if (port == 0) {
            return Optional.empty();
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return Optional.empty();
        } catch (IOException inUse) {
            return Optional.of(
                    "port "
                            + port
                            + " of the web UI is in use ("
                            + inUse.getMessage()
                            + "); add --set flink.webPort=0 for any free port");
        }
    }
}
