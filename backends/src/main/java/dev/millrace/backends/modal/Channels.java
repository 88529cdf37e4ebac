package dev.millrace.backends.modal;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** Connections, as the servers expect them. */
final class Channels {
    private static final int MOST_MESSAGE_BYTES = 100 << 20;
    private static final int WINDOW_BYTES = 64 << 20;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private Channels() {}

    static ManagedChannel open(URI address) {
        boolean plaintext = "http".equals(address.getScheme());
        int usual = plaintext ? HTTP : HTTPS;
        int port = address.getPort() < 0 ? usual : address.getPort();
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address.getHost(), port)
                        .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                        .flowControlWindow(WINDOW_BYTES)
                        .keepAliveTime(30, TimeUnit.SECONDS)
                        .keepAliveTimeout(10, TimeUnit.SECONDS)
                        .keepAliveWithoutCalls(true);
        return (plaintext ? builder.usePlaintext() : builder).build();
    }
}
