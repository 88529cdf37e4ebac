package dev.millrace.jobs.preflight;

import dev.millrace.operators.topic.KafkaCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Whether the Kafka cluster answers and takes the credentials. The client's own time limits begin
 * once it has found the addresses and has logged in, and either may hang for minutes; so it is
 * asked from a thread that is waited for no longer than patience allows.
 *
 * @param cluster as the recipe names it
 * @param patience how long an answer may take
 */
public record KafkaCheck(KafkaCluster cluster, Duration patience) implements Check {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Waits for 15 s. */
    public KafkaCheck(KafkaCluster cluster) {
        this(cluster, PATIENCE);
    }

    @Override
    public Optional<String> refusal() {
        FutureTask<Optional<String>> question = new FutureTask<>(this::ask);
        Thread thread = new Thread(question, "kafka-check");
        thread.setDaemon(true);
        thread.start();
        try {
            return question.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            return Optional.of(away());
        } catch (ExecutionException e) {
            throw new IllegalStateException("The Kafka cluster can't be asked", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while asking the Kafka cluster");
        }
    }

    private Optional<String> ask() throws InterruptedException {
        int millis = (int) patience.toMillis();
        Map<String, Object> settings =
                cluster.client(
                        Map.of("default.api.timeout.ms", millis, "request.timeout.ms", millis / 3));
        try (Admin admin = Admin.create(settings)) {
            admin.describeCluster().nodes().get();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(explain(e.getCause()));
        } catch (KafkaException e) {
            return Optional.of(explain(e));
        }
    }

    private String explain(Throwable failure) {
        if (failure instanceof SslAuthenticationException) {
            return "no broker at "
                    + cluster.bootstrapServers()
                    + " has a certificate that is trusted, or takes this one; see ssl.* in"
                    + " kafka.properties";
        }
        if (failure instanceof AuthenticationException) {
            return "the Kafka cluster at "
                    + cluster.bootstrapServers()
                    + " refuses the credentials of kafka.properties";
        }
        if (failure instanceof AuthorizationException) {
            return "the Kafka cluster at "
                    + cluster.bootstrapServers()
                    + " knows these credentials, but they have no right to describe it";
        }
        if (failure instanceof org.apache.kafka.common.errors.TimeoutException) {
            return away();
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return "kafka.bootstrap " + cluster.bootstrapServers() + ": " + cause.getMessage();
    }

    private String away() {
        return "no broker answers at kafka.bootstrap "
                + cluster.bootstrapServers()
                + " within "
                + patience.toSeconds()
                + " s: is the address right, and does the listener want TLS or SASL"
                + " (kafka.properties)?";
    }
}
