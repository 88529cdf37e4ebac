package dev.millrace.jobs.preflight;

import dev.millrace.operators.topic.KafkaCluster;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/**
 * Whether the Kafka cluster answers and takes the credentials.
 *
 * @param cluster as the recipe names it
 */
public record KafkaCheck(KafkaCluster cluster) implements Check {
    private static final int PATIENCE_MILLIS = 15_000;

    @Override
    public Optional<String> refusal() {
        Map<String, Object> settings =
                cluster.client(
                        Map.of(
                                "default.api.timeout.ms",
                                PATIENCE_MILLIS,
                                "request.timeout.ms",
                                PATIENCE_MILLIS / 3));
        try (Admin admin = Admin.create(settings)) {
            admin.describeCluster().nodes().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(explain(e.getCause()));
        } catch (KafkaException e) {
            return Optional.of(explain(e));
        } catch (TimeoutException e) {
            return Optional.of(away());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while asking the Kafka cluster");
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
                + PATIENCE_MILLIS / 1000
                + " s: is the address right, and does the listener want TLS or SASL"
                + " (kafka.properties)?";
    }
}
