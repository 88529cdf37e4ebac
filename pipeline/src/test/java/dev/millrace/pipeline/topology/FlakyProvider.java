package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A provider whose operations fail by a plan.
 *
 * @param inner makes the sandboxes
 * @param plan which operations fail
 * @param losesSandboxes whether a failure takes the sandbox with it, before the operation or just
 *     behind it; otherwise it is a refusal, and the sandbox stays
 */
record FlakyProvider(SandboxProvider inner, FaultPlan plan, boolean losesSandboxes)
        implements SandboxProvider {

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public SandboxCapabilities probe() throws SandboxException {
        return inner.probe();
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws SandboxException {
        if (plan.hit(spec.leaseName(), "create")) {
            throw new SandboxException(Kind.CREATE_FAILED, "at random");
        }
        return new Flaky(inner.create(spec));
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return inner.attach(lease).map(Flaky::new);
    }

    @Override
    public List<String> leases(String owner) {
        return inner.leases(owner);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return inner.reap(owner, fence, keep);
    }

    @Override
    public void close() {
        inner.close();
    }

    /** Something that is done with a sandbox. */
    @FunctionalInterface
    private interface Operation<T> {
        T run() throws SandboxException;
    }

    /** A sandbox whose operations fail by the plan. */
    private final class Flaky implements Sandbox {
        private final Sandbox sandbox;

        Flaky(Sandbox sandbox) {
            this.sandbox = sandbox;
        }

        private <T> T perhaps(String name, Operation<T> operation) throws SandboxException {
            if (plan.hit(leaseName(), name)) {
                throw failed(Kind.DIED);
            }
            T result = operation.run();
            if (plan.hit(leaseName(), name + ", answer")) {
                throw failed(Kind.UNREACHABLE);
            }
            return result;
        }

        private SandboxException failed(Kind kind) {
            if (losesSandboxes) {
                sandbox.kill();
            }
            return new SandboxException(losesSandboxes ? kind : Kind.QUOTA, "at random");
        }

        @Override
        public String leaseName() {
            return sandbox.leaseName();
        }

        @Override
        public ExecResult exec(ExecRequest request) throws SandboxException {
            return perhaps("exec", () -> sandbox.exec(request));
        }

        @Override
        public void putFiles(String directory, List<SandboxFile> files) throws SandboxException {
            perhaps(
                    "put",
                    () -> {
                        sandbox.putFiles(directory, files);
                        return true;
                    });
        }

        @Override
        public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
            return perhaps("get", () -> sandbox.getFiles(directory, maxBytes));
        }

        @Override
        public List<String> executedIds() {
            return sandbox.executedIds();
        }

        @Override
        public void kill() {
            sandbox.kill();
        }

        @Override
        public void renew() throws SandboxException {
            sandbox.renew();
        }

        @Override
        public void terminate() throws SandboxException {
            if (plan.hitAtTheEnd(leaseName(), "remove")) {
                throw new SandboxException(Kind.UNREACHABLE, "at random, when all is done");
            }
            sandbox.terminate();
        }

        @Override
        public void close() {
            sandbox.close();
        }
    }
}
