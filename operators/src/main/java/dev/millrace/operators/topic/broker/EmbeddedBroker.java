package dev.millrace.operators.topic.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * One Kafka broker, its own controller, on the loopback address. Its log folder outlives it: a
 * broker started over the same folder has the same cluster id and the same topics.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";

    /** By default a broker that can't reach its controller waits for ever. */
    private static final Duration MOST_STARTUP = Duration.ofMinutes(3);

    private final KafkaRaftServer server;
    private final int port;

    private EmbeddedBroker(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts a broker on a free port.
     *
     * @param logDir its folder; created and formatted when it is new
     * @throws IllegalStateException when the folder can't be used or the broker doesn't start
     */
    public static EmbeddedBroker start(Path logDir) {
        return start(logDir, 0);
    }

    /**
     * Starts a broker.
     *
     * @param logDir its folder; created and formatted when it is new
     * @param port where it listens; 0 takes a free one
     * @throws IllegalStateException when the folder can't be used or the broker doesn't start
     */
    public static EmbeddedBroker start(Path logDir, int port) {
        return start(logDir, port, Map.of());
    }

    /**
     * Starts a broker with settings of its own, for instance of a listener {@code PLAINTEXT} that
     * asks for TLS and credentials whatever its name says.
     *
     * @param logDir its folder; created and formatted when it is new
     * @param port where it listens; 0 takes a free one
     * @param settings replace those of the same names
     * @throws IllegalStateException when the folder can't be used or the broker doesn't start
     */
    public static EmbeddedBroker start(Path logDir, int port, Map<String, String> settings) {
        int[] free = freePorts();
        int brokerPort = port == 0 ? free[0] : port;
        Path folder = logDir.toAbsolutePath();
        formatIfNew(folder);
        Properties properties = properties(folder, brokerPort, free[1]);
        properties.putAll(settings);
        KafkaRaftServer server =
                new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        try {
            server.startup();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "The broker over " + folder + " doesn't start; its log says why", e);
        }
        return new EmbeddedBroker(server, brokerPort);
    }

    /** Where clients find it, {@code host:port}. */
    public String bootstrapServers() {
        return HOST + ":" + port;
    }

    /** Stops it; what was acknowledged stays in its folder. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static void formatIfNew(Path folder) {
        if (Files.exists(folder.resolve("meta.properties"))) {
            return;
        }
        try (PrintStream quiet =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Files.createDirectories(folder);
            new Formatter()
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(NODE)
                    .setDirectories(List.of(folder.toString()))
                    .setMetadataLogDirectory(folder.toString())
                    .setControllerListenerName(CONTROLLER)
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setPrintStream(quiet)
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException(
                    "Can't prepare the broker's folder "
                            + folder
                            + "; it must be writable and empty",
                    e);
        }
    }

    private static Properties properties(Path folder, int port, int controllerPort) {
        String broker = "PLAINTEXT://" + HOST + ":" + port;
        Properties p = new Properties();
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(NODE));
        p.put("controller.quorum.voters", NODE + "@" + HOST + ":" + controllerPort);
        p.put("listeners", broker + "," + CONTROLLER + "://" + HOST + ":" + controllerPort);
        p.put("advertised.listeners", broker);
        p.put("controller.listener.names", CONTROLLER);
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("listener.security.protocol.map", CONTROLLER + ":PLAINTEXT,PLAINTEXT:PLAINTEXT");
        p.put("log.dirs", folder.toString());
        p.put("auto.create.topics.enable", "false");
        p.put("server.max.startup.time.ms", Long.toString(MOST_STARTUP.toMillis()));
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "2");
        p.put("background.threads", "2");
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 << 20));
        p.put("log.index.size.max.bytes", Integer.toString(1 << 20));
        for (String internal :
                List.of(
                        "offsets.topic",
                        "transaction.state.log",
                        "share.coordinator.state.topic")) {
            p.put(internal + ".num.partitions", "1");
            p.put(internal + ".replication.factor", "1");
        }
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        return p;
    }

    private static int[] freePorts() {
        try (ServerSocket first = listener();
                ServerSocket second = listener()) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on " + HOST, e);
        }
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }
}
