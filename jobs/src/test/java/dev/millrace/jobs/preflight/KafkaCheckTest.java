package dev.millrace.jobs.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.launch.KafkaProperties;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicSpec;
import dev.millrace.operators.topic.TopicWriter;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.settings.KafkaSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KafkaCheckTest {
    private static final String PASSWORD = "correct horse";
    private static final String MODULE =
            "org.apache.kafka.common.security.plain.PlainLoginModule required"
                    + " username=\"millrace\"";

    @TempDir static Path folder;
    private static Path store;
    private static EmbeddedBroker broker;

    @BeforeAll
    static void aBrokerThatAsksForTlsAndCredentials() throws Exception {
        store = folder.resolve("broker.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "broker",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "changeit")
                        .redirectErrorStream(true)
                        .start();
        assertThat(keytool.waitFor())
                .as(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        broker =
                EmbeddedBroker.start(
                        folder.resolve("kafka"),
                        0,
                        Map.of(
                                "listener.security.protocol.map",
                                "CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_SSL",
                                "sasl.enabled.mechanisms",
                                "PLAIN",
                                "sasl.mechanism.inter.broker.protocol",
                                "PLAIN",
                                "listener.name.plaintext.plain.sasl.jaas.config",
                                MODULE
                                        + " password=\""
                                        + PASSWORD
                                        + "\" user_millrace=\""
                                        + PASSWORD
                                        + "\";",
                                "ssl.keystore.location",
                                store.toString(),
                                "ssl.keystore.password",
                                "changeit",
                                "ssl.truststore.location",
                                store.toString(),
                                "ssl.truststore.password",
                                "changeit"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void readsSecretsWhereItConnects() throws Exception {
        KafkaCluster cluster = cluster(secrets(PASSWORD));
        assertThat(new KafkaCheck(cluster).refusal()).isEmpty();
        Topics.ensure(cluster, List.of(new TopicSpec("guarded", 1)));
        AtomicReference<Throwable> failed = new AtomicReference<>();
        try (TopicWriter writer = new TopicWriter(cluster, "guarded", failed::set)) {
            writer.append("key", Map.of("a", 1));
        }
        assertThat(failed).hasValue(null);
        assertThat(cluster.toString()).doesNotContain(PASSWORD).doesNotContain("changeit");
    }

    @Test
    void saysWhatIsWrongWithTheAddressOrTheCredentials() throws Exception {
        assertThat(new KafkaCheck(cluster(secrets("guessed"))).refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("refuses the credentials"));
        assertThat(new KafkaCheck(KafkaCluster.at(broker.bootstrapServers())).refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("TLS or SASL"));
        assertThat(new KafkaCheck(KafkaCluster.at("no-such-host.invalid:9092")).refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("no-such-host.invalid:9092"));
    }

    /** Waits for ever, as one that can't reach its key server may. */
    public static final class HangingLogin implements LoginModule {
        @Override
        public void initialize(
                Subject subject,
                CallbackHandler handler,
                Map<String, ?> shared,
                Map<String, ?> options) {
            // Nothing to keep.
        }

        @Override
        public boolean login() throws LoginException {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new LoginException("interrupted");
            }
            return true;
        }

        @Override
        public boolean commit() {
            return true;
        }

        @Override
        public boolean abort() {
            return true;
        }

        @Override
        public boolean logout() {
            return true;
        }
    }

    @Test
    @Timeout(60)
    void aLoginThatHangsIsRefusedInTime() {
        KafkaCluster hanging =
                new KafkaCluster(
                        broker.bootstrapServers(),
                        new HashMap<>(
                                Map.of(
                                        "security.protocol",
                                        "SASL_PLAINTEXT",
                                        "sasl.mechanism",
                                        "PLAIN",
                                        "sasl.jaas.config",
                                        HangingLogin.class.getName() + " required;")));
        assertThat(new KafkaCheck(hanging, Duration.ofSeconds(2)).refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("within 2 s"));
    }

    @Test
    void refusesSecretsThatWouldTravelWithTheJob() throws Exception {
        Path file =
                Files.write(
                        folder.resolve("bad.properties"),
                        List.of(
                                "ssl.truststore.password=changeit",
                                "sasl.jaas.config=" + MODULE + " password=\"" + PASSWORD + "\";",
                                "securty.protocol=SSL"));
        assertThatThrownBy(() -> KafkaProperties.cluster(settings(file)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("ssl.truststore.password holds a secret")
                .hasMessageContaining("sasl.jaas.config holds a secret")
                .hasMessageContaining("securty.protocol is no property")
                .hasMessageNotContaining(PASSWORD);
        assertThatThrownBy(() -> KafkaProperties.cluster(settings(folder.resolve("none"))))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("can't be read");
    }

    private static Path secrets(String password) throws IOException {
        Path secrets = Files.createTempFile(folder, "kafka", ".secrets");
        Files.write(secrets, List.of("password=" + password, "store=changeit"));
        return secrets;
    }

    private static KafkaCluster cluster(Path secrets) throws IOException {
        Path file = Files.createTempFile(folder, "kafka", ".properties");
        Files.write(
                file,
                List.of(
                        "security.protocol=SASL_SSL",
                        "sasl.mechanism=PLAIN",
                        "sasl.jaas.config="
                                + MODULE
                                + " password=\"${file:"
                                + secrets
                                + ":password}\";",
                        "ssl.truststore.location=" + store,
                        "ssl.truststore.password=${file:" + secrets + ":store}"));
        return KafkaProperties.cluster(settings(file));
    }

    private static KafkaSettings settings(Path file) {
        return new KafkaSettings(broker.bootstrapServers(), file.toString());
    }
}
