package dev.millrace.backends.lease;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import java.util.List;

/** A sandbox as one owner holds it. Once another has taken it over, nothing of this one works. */
final class FencedSandbox implements Sandbox {
    private final LeaseEntry entry;
    private final Sandbox sandbox;
    private final long fence;

    FencedSandbox(LeaseEntry entry, Sandbox sandbox, long fence) {
        this.entry = entry;
        this.sandbox = sandbox;
        this.fence = fence;
    }

    @Override
    public String leaseName() {
        return sandbox.leaseName();
    }

    @Override
    public ExecResult exec(ExecRequest request) throws SandboxException {
        entry.begin(fence, request.effectId());
        try {
            return sandbox.exec(request);
        } finally {
            entry.done();
        }
    }

    @Override
    public void putFiles(String directory, List<SandboxFile> files) throws SandboxException {
        entry.use(fence);
        sandbox.putFiles(directory, files);
    }

    @Override
    public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
        entry.use(fence);
        return sandbox.getFiles(directory, maxBytes);
    }

    @Override
    public boolean keepAs(String layer) throws SandboxException {
        entry.use(fence);
        return sandbox.keepAs(layer);
    }

    @Override
    public List<String> executedIds() {
        return entry.executed();
    }

    @Override
    public void renew() throws SandboxException {
        entry.use(fence);
        sandbox.renew();
    }

    @Override
    public void kill() {
        if (entry.belongsTo(fence)) {
            sandbox.kill();
        }
    }

    @Override
    public void terminate() throws SandboxException {
        if (entry.belongsTo(fence)) {
            sandbox.terminate();
            entry.gone();
        }
    }

    @Override
    public void close() {
        if (entry.belongsTo(fence)) {
            sandbox.close();
            entry.gone();
        }
    }
}
