package dev.millrace.backends.lease;

import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The leases of a provider: which sandbox each has and to which fence it belongs. Of leases without
 * a sandbox only the newest fences are remembered. Thread-safe; never holds its lock while a
 * sandbox is made or ended.
 */
public final class LeaseTable {
    private static final int MOST_REMEMBERED = 4096;

    private final Map<String, LeaseEntry> live = new HashMap<>();
    private final Map<String, Long> owners = recent();
    private final Map<String, Long> past = recent();

    /** Makes the sandbox itself. */
    @FunctionalInterface
    public interface Maker {
        /**
         * A fresh one.
         *
         * @param ended to be called when it is gone, by whose hand ever
         */
        Sandbox make(Runnable ended) throws SandboxException;
    }

    /** See {@link dev.millrace.backends.port.SandboxProvider#create}. */
    public Sandbox create(Lease lease, Maker maker) throws SandboxException {
        LeaseEntry entry;
        LeaseEntry replaced;
        synchronized (this) {
            requireCurrent(lease);
            entry = live.get(lease.name());
            if (entry == null || entry.fence() < lease.fence()) {
                replaced = entry;
                entry = new LeaseEntry(lease, this::ended);
                live.put(lease.name(), entry);
            } else {
                replaced = null;
            }
        }
        if (replaced != null) {
            replaced.end();
        }
        return entry.open(maker);
    }

    /** See {@link dev.millrace.backends.port.SandboxProvider#attach}. */
    public Optional<Sandbox> attach(Lease lease) throws SandboxException {
        LeaseEntry entry;
        synchronized (this) {
            requireCurrent(lease);
            entry = live.get(lease.name());
        }
        return entry == null ? Optional.empty() : entry.takeOver(lease);
    }

    /** See {@link dev.millrace.backends.port.SandboxProvider#leases}. */
    public synchronized List<String> leases(String owner) {
        return live.values().stream()
                .map(LeaseEntry::lease)
                .filter(l -> l.owner().equals(owner) || l.owner().startsWith(owner + "/"))
                .map(Lease::name)
                .sorted()
                .toList();
    }

    /** See {@link dev.millrace.backends.port.SandboxProvider#reap}. */
    public int reap(String owner, long fence, Set<String> keep) {
        List<LeaseEntry> left = new ArrayList<>();
        synchronized (this) {
            if (fence != Long.MAX_VALUE) {
                owners.merge(owner, fence, Math::max);
            }
            for (LeaseEntry entry : live.values()) {
                Lease lease = entry.lease();
                if (lease.owner().equals(owner)
                        && lease.fence() < fence
                        && !keep.contains(lease.name())) {
                    left.add(entry);
                }
            }
        }
        left.forEach(LeaseEntry::end);
        return left.size();
    }

    /** Ends the sandboxes whose time without use is over, and returns how many. */
    public int expire(long nowNanos) {
        List<LeaseEntry> over = new ArrayList<>();
        synchronized (this) {
            live.values().stream().filter(e -> e.expired(nowNanos)).forEach(over::add);
        }
        over.forEach(LeaseEntry::end);
        return over.size();
    }

    private void requireCurrent(Lease lease) throws SandboxException {
        LeaseEntry entry = live.get(lease.name());
        long newest = entry == null ? past.getOrDefault(lease.name(), 0L) : entry.fence();
        newest = Math.max(newest, owners.getOrDefault(lease.owner(), 0L));
        if (lease.fence() < newest) {
            throw LeaseEntry.fenced(lease.name());
        }
    }

    private synchronized void ended(LeaseEntry entry) {
        String name = entry.lease().name();
        if (live.remove(name, entry)) {
            past.merge(name, entry.fence(), Math::max);
        }
    }

    private static Map<String, Long> recent() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > MOST_REMEMBERED;
            }
        };
    }
}
