package dev.millrace.backends.fake;

import dev.millrace.backends.lease.LeaseTable;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sandboxes without processes, see {@link FakeSandbox}. They live until they are ended. */
public final class FakeProvider implements SandboxProvider {
    private final LeaseTable leases = new LeaseTable();
    private final Map<FakeSandbox, String> live = new ConcurrentHashMap<>();
    private final List<FakeSandbox> made = new CopyOnWriteArrayList<>();
    private final SandboxCapabilities.Attach attach;
    private final FakeFaults faults;

    /** Sandboxes that can be found again as far as that is said. */
    public FakeProvider(SandboxCapabilities.Attach attach, FakeFaults faults) {
        this.attach = attach;
        this.faults = faults;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public SandboxCapabilities probe() {
        return new SandboxCapabilities(attach, List.of(), List.of("isolation: there is none"));
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws SandboxException {
        return leases.create(spec.lease(), ended -> make(spec, ended));
    }

    private Sandbox make(SandboxSpec spec, Runnable ended) throws SandboxException {
        try {
            faults.create(spec);
        } catch (InterruptedException e) {
            throw FakeSandbox.cancelled(e);
        }
        FakeSandbox[] self = new FakeSandbox[1];
        self[0] =
                new FakeSandbox(
                        spec.leaseName(),
                        faults,
                        () -> {
                            live.remove(self[0]);
                            ended.run();
                        });
        live.put(self[0], spec.leaseName());
        made.add(self[0]);
        return self[0];
    }

    @Override
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        return attach == SandboxCapabilities.Attach.NONE ? Optional.empty() : leases.attach(lease);
    }

    @Override
    public List<String> leases(String owner) {
        return leases.leases(owner);
    }

    @Override
    public int reap(String owner, long fence, Set<String> keep) {
        return leases.reap(owner, fence, keep);
    }

    /** Ends the sandboxes that nobody used for their time to live, as if it were that late. */
    public int expire(long nowNanos) {
        return leases.expire(nowNanos);
    }

    /** Leases of all sandboxes that there are. */
    public List<String> alive() {
        return live.values().stream().sorted().toList();
    }

    /** Ids of the commands that each sandbox ran, of all that were ever made under a lease. */
    public List<List<String>> executed(String leaseName) {
        return made.stream()
                .filter(sandbox -> sandbox.leaseName().equals(leaseName))
                .map(FakeSandbox::executedIds)
                .toList();
    }

    /** Leases of all sandboxes that were ever made, each as often as it had one. */
    public List<String> everMade() {
        return made.stream().map(FakeSandbox::leaseName).sorted().toList();
    }

    /** Someone kills a sandbox behind its owner's back. */
    public void lose(String leaseName) {
        live.forEach(
                (sandbox, name) -> {
                    if (name.equals(leaseName)) {
                        sandbox.kill();
                    }
                });
    }

    @Override
    public void close() {
        Set.copyOf(live.keySet()).forEach(FakeSandbox::close);
    }
}
