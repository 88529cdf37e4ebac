package dev.millrace.operators.topic;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How clients reach a Kafka cluster. It travels with the job, so it holds no secret: where one is
 * needed a property names it, {@code ${file:/etc/millrace/kafka.secrets:password}} or {@code
 * ${env:KAFKA_PASSWORD}}, and each client reads it on its own machine when it connects.
 *
 * @param bootstrapServers comma-separated {@code host:port}
 * @param properties of every client, for instance {@code security.protocol}
 */
public record KafkaCluster(String bootstrapServers, HashMap<String, String> properties)
        implements Serializable {

    /** A cluster that asks for no more than its address. */
    public static KafkaCluster at(String bootstrapServers) {
        return new KafkaCluster(bootstrapServers, new HashMap<>());
    }

    /** What a client is opened with. */
    public Map<String, String> client() {
        Map<String, String> client = new HashMap<>(providers());
        client.putAll(properties);
        client.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return client;
    }

    /** The same with settings of the client's own, which win. */
    public Map<String, Object> client(Map<String, ?> own) {
        Map<String, Object> client = new HashMap<>(client());
        client.putAll(own);
        return client;
    }

    /** The same for builders that take properties. */
    public Properties clientProperties() {
        Properties client = new Properties();
        client.putAll(client());
        return client;
    }

    private static Map<String, String> providers() {
        String provider = "org.apache.kafka.common.config.provider.";
        return Map.of(
                "config.providers",
                "file,env",
                "config.providers.file.class",
                provider + "FileConfigProvider",
                "config.providers.env.class",
                provider + "EnvVarConfigProvider");
    }
}
