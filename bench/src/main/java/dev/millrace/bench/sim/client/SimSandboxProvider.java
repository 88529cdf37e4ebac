package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.ArrayList;
import java.util.Collections;
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
        ObjectNode body = SandboxCalls.of(spec.lease()).put("image", spec.image());
        try {
            long id = calls.now("/create", body).path("id").asLong();
            return keep(new SimSandbox(calls, spec.lease(), id));
        } catch (SandboxException e) {
            if (e.kind() == Kind.CANCELLED || e.kind() == Kind.UNREACHABLE) {
                // It may stand there: nothing is left behind.
                kill(spec.lease());
            }
            throw e;
        }
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        try {
            long id = calls.now("/attach", SandboxCalls.of(lease)).path("id").asLong();
            return Optional.of(keep(new SimSandbox(calls, lease, id)));
        } catch (SandboxException e) {
            if (e.kind() == Kind.IMAGE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public List<String> leases(String owner) {
        List<String> leases = new ArrayList<>();
        for (JsonNode box : ask("/list", ServiceClient.request()).path("sandboxes")) {
            String label = box.path("owner").asText();
            if (label.equals(owner) || label.startsWith(owner + "/")) {
                leases.add(box.path("lease").asText());
            }
        }
        Collections.sort(leases);
        return leases;
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        ObjectNode body = ServiceClient.request().put("owner", owner).put("fence", fence);
        ArrayNode kept = body.putArray("keep");
        keep.forEach(kept::add);
        return ask("/reap", body).path("count").asInt();
    }

    /** Ends whatever has this lease, as far as that can be done now. */
    void kill(Lease lease) {
        calls.end(SandboxCalls.of(lease));
    }

    private JsonNode ask(String path, ObjectNode body) {
        try {
            return calls.now(path, body);
        } catch (SandboxException e) {
            throw new IllegalStateException("The sandbox service does not answer", e);
        }
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
