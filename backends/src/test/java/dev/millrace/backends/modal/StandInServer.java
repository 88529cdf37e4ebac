package dev.millrace.backends.modal;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Stands in for both of Modal's servers, on this machine: it keeps their side of the protocol as
 * far as it is known here, and runs commands in containers of its own.
 */
final class StandInServer implements AutoCloseable {
    static final Map<String, String> TOKEN =
            Map.of("MODAL_TOKEN_ID", "ak-of-a-test", "MODAL_TOKEN_SECRET", "as-secret-6d0c");

    private static final int MOST_MESSAGE_BYTES = 100 << 20;

    private final Faults faults = new Faults();
    private final ExecutorService threads = Executors.newCachedThreadPool(StandInServer::daemon);
    private final StandInControl control = new StandInControl(this::address);
    private final StandInRouter router = new StandInRouter(control);
    private final Server server;

    StandInServer() throws IOException {
        server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                        .permitKeepAliveTime(1, TimeUnit.SECONDS)
                        .permitKeepAliveWithoutCalls(true)
                        .executor(threads)
                        .intercept(new StandInAccess(control))
                        .intercept(faults)
                        .addService(control)
                        .addService(router)
                        .build()
                        .start();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "stand-in");
        thread.setDaemon(true);
        return thread;
    }

    private String address() {
        return "http://127.0.0.1:" + server.getPort();
    }

    Faults faults() {
        return faults;
    }

    StandInRouter router() {
        return router;
    }

    StandInControl control() {
        return control;
    }

    /** Quick settings that lead here. */
    ModalSettings settings() {
        ModalSettings usual = ModalSettings.of("millrace-test", "debian:12");
        ModalTimes times = new ModalTimes(20_000, 20_000, 10, 10_000, 2_000, 10, 10_000, 3_600_000);
        return new ModalSettings(
                URI.create(address()),
                usual.app(),
                "tests",
                usual.image(),
                usual.layers(),
                "",
                usual.user(),
                usual.shell(),
                0,
                usual.mostSandboxes(),
                usual.hardOutputBytes(),
                times);
    }

    ModalProvider provider() {
        return new ModalProvider(settings(), TOKEN);
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow();
        server.awaitTermination(10, TimeUnit.SECONDS);
        control.close();
        threads.shutdownNow();
    }
}
