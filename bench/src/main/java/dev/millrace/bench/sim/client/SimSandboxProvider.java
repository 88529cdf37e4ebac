package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes sandboxes at the sandbox service; they outlive this process unless somebody ends them. */
public final class SimSandboxProvider implements SandboxProvider {
    private final SandboxCalls calls;
    private final Set<SimSandbox> made = ConcurrentHashMap.newKeySet();

    /** A provider on the service behind a client. */
    public SimSandboxProvider(ServiceClient client) {
        this.calls = new SandboxCalls(client);
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public SandboxCapabilities probe() {
        return new SandboxCapabilities(
                SandboxCapabilities.Attach.ANYWHERE,
                List.of(),
                List.of("nothing runs: commands and their output are simulated"));
    }

    @Override
    public SimSandbox create(SandboxSpec spec) throws SandboxException {
        ObjectNode body =
                ServiceClient.request()
                        .put("lease", spec.leaseName())
                        .put("owner", spec.owner())
                        .put("image", spec.image());
        try {
            long id = calls.now("/create", body).path("id").asLong();
            return keep(new SimSandbox(calls, spec.leaseName(), id));
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED || e.kind() == Kind.UNREACHABLE) {
                // It may stand there: nothing is left behind.
                kill(spec.leaseName());
            }
            throw e;
        }
    }

    @Override
    public Optional<Sandbox> attach(String leaseName) {
        try {
            ObjectNode body = ServiceClient.request().put("lease", leaseName);
            long id = calls.now("/attach", body).path("id").asLong();
            return Optional.of(keep(new SimSandbox(calls, leaseName, id)));
        } catch (SandboxException e) {
            return Optional.empty();
        }
    }

    @Override
    public int reap(String owner) {
        try {
            return calls.now("/reap", ServiceClient.request().put("owner", owner))
                    .path("count")
                    .asInt();
        } catch (SandboxException e) {
            throw new IllegalStateException("Sandboxes of " + owner + " can't be reaped", e);
        }
    }

    /** Ends whatever has this lease. */
    void kill(String leaseName) {
        calls.terminate(ServiceClient.request().put("lease", leaseName));
    }

    @Override
    public void close() {
        made.forEach(SimSandbox::close);
        made.clear();
    }

    private SimSandbox keep(SimSandbox sandbox) {
        made.add(sandbox);
        return sandbox;
    }
}
