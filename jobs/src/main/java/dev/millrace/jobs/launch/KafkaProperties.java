package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.pipeline.settings.KafkaSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Reads {@code kafka.properties}. What is in it travels with the job, so secrets are refused. */
public final class KafkaProperties {
    /** Not among the admin client's own, but read by the login modules of every client. */
    private static final Set<String> FAMILIES = Set.of("ssl.", "sasl.", "security.");

    private static final Pattern PLAIN_PASSWORD =
            Pattern.compile("(password|clientSecret|secret)\\s*=\\s*[\"']?(?!\\$\\{)[^\\s\"';]");

    private KafkaProperties() {}

    /**
     * The cluster that a recipe names.
     *
     * @throws BadInputException when the file can't be read, has a property that no client knows or
     *     a secret; names the file and the property
     */
    public static KafkaCluster cluster(KafkaSettings settings) {
        if (settings.properties().isEmpty()) {
            return KafkaCluster.at(settings.bootstrap());
        }
        Path file = Path.of(settings.properties());
        Properties read = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            read.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new BadInputException(
                    "kafka.properties: " + file + " can't be read: " + e.getMessage());
        }
        List<String> refusals = new ArrayList<>();
        HashMap<String, String> properties = new HashMap<>();
        for (String key : read.stringPropertyNames()) {
            refuse(key, read.getProperty(key), refusals);
            properties.put(key, read.getProperty(key));
        }
        if (!refusals.isEmpty()) {
            throw new BadInputException("kafka.properties " + file + " is refused:", refusals);
        }
        return new KafkaCluster(settings.bootstrap(), properties);
    }

    private static void refuse(String key, String value, List<String> refusals) {
        if (key.equals("bootstrap.servers")) {
            refusals.add(key + ": set kafka.bootstrap in the recipe instead");
        } else if (!AdminClientConfig.configNames().contains(key)
                && FAMILIES.stream().noneMatch(key::startsWith)) {
            refusals.add(key + " is no property of a Kafka client");
        } else if (secret(key, value)) {
            refusals.add(
                    key
                            + " holds a secret, and properties travel with the job: write"
                            + " ${file:/path/to/file:key} or ${env:NAME} instead, which each"
                            + " machine reads itself");
        }
    }

    private static boolean secret(String key, String value) {
        if (key.equals("sasl.jaas.config")) {
            return PLAIN_PASSWORD.matcher(value).find();
        }
        String name = key.toLowerCase(Locale.ROOT);
        boolean guarded =
                name.endsWith("password")
                        || name.endsWith("secret")
                        || name.endsWith("keystore.key");
        return guarded && !value.contains("${");
    }
}
