package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    private static final long TERMINATE_MILLIS = 5_000;
    private static final int TERMINATE_TRIES = 4;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

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

    /** Ends a sandbox; tries again a few times, never for long. */
    void terminate(ObjectNode body) {
        for (int tries = 1; tries <= TERMINATE_TRIES; tries++) {
            try {
                if (within("/terminate", body, TERMINATE_MILLIS) != null) {
                    return;
                }
                LOG.warn("A sandbox is not ended in time lease={}", body.path("lease").asText());
            } catch (SandboxException e) {
                if (e.kind() == Kind.CANCELLED) {
                    var unused = client.call("/terminate", body);
                    return;
                }
                LOG.warn("A sandbox could not be ended lease={}", body.path("lease").asText(), e);
            }
        }
    }

    private static SandboxException failure(String path, Throwable problem) {
        int status = problem instanceof ServiceFailure known ? known.status() : GONE;
        Kind kind =
                switch (status) {
                    case ServiceFailure.UNREACHABLE -> Kind.UNREACHABLE;
                    case NOT_FOUND -> Kind.IMAGE;
                    case GONE -> Kind.DIED;
                    default -> path.equals("/create") ? Kind.CREATE_FAILED : Kind.UNREACHABLE;
                };
        return new SandboxException(kind, String.valueOf(problem.getMessage()));
    }
}
