package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls of the sandbox service that wait for their answer, and fail as the port says. */
final class SandboxCalls {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxCalls.class);
    private static final long LONGEST_MILLIS = 120_000;
    private static final long END_MILLIS = 5_000;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int FENCED = 412;
    private static final int TOO_MANY = 429;

    private final ServiceClient client;

    SandboxCalls(ServiceClient client) {
        this.client = client;
    }

    JsonNode now(String path, ObjectNode body) throws SandboxException {
        JsonNode answer = within(path, body, LONGEST_MILLIS);
        if (answer == null) {
            throw new SandboxException(Kind.UNREACHABLE, "no answer in " + LONGEST_MILLIS + " ms");
        }
        return answer;
    }

    /** The answer, or null when it did not come in time. */
    JsonNode within(String path, ObjectNode body, long millis) throws SandboxException {
        try {
            return client.call(path, body).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(Kind.CANCELLED, "the caller was interrupted");
        } catch (ExecutionException e) {
            throw failure(path, e.getCause());
        }
    }

    /** Ends a sandbox as far as that can be done now. */
    void end(ObjectNode body) {
        try {
            if (within("/terminate", body, END_MILLIS) == null) {
                LOG.warn("A sandbox is not ended in time lease={}", body.path("lease").asText());
            }
        } catch (SandboxException e) {
            LOG.warn("A sandbox could not be ended lease={}", body.path("lease").asText(), e);
        }
    }

    /** A request about a lease. */
    static ObjectNode of(Lease lease) {
        return ServiceClient.request()
                .put("lease", lease.name())
                .put("owner", lease.owner())
                .put("fence", lease.fence())
                .put("ttl", lease.ttlMillis());
    }

    private static SandboxException failure(String path, Throwable problem) {
        int status = problem instanceof ServiceFailure known ? known.status() : GONE;
        if (status == TOO_MANY) {
            return new SandboxException(String.valueOf(problem.getMessage()), 0);
        }
        Kind kind =
                switch (status) {
                    case FENCED -> Kind.FENCED;
                    case ServiceFailure.UNREACHABLE -> Kind.UNREACHABLE;
                    case NOT_FOUND -> Kind.IMAGE;
                    case GONE -> Kind.DIED;
                    case 503 -> Kind.UNREACHABLE;
                    default -> path.equals("/create") ? Kind.CREATE_FAILED : Kind.UNREACHABLE;
                };
        return new SandboxException(kind, String.valueOf(problem.getMessage()));
    }
}
