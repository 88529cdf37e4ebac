package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.LabelledSandboxes.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sandboxes of other providers, which live on when their process has ended. */
public final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

    private final LabelledSandboxes sandboxes;
    private final String process;

    /**
     * Of one service.
     *
     * @param process stamp of the provider whose sandboxes are no strays
     */
    public Strays(LabelledSandboxes sandboxes, String process) {
        this.sandboxes = sandboxes;
        this.process = process;
    }

    /** Removes what processes of this host that are gone have left. */
    public int clearUp() throws SandboxException {
        return remove(
                Labels.HOST,
                Labels.host(),
                found -> OwnerStamp.isStale(found.labels().getOrDefault(Labels.PROCESS, "")));
    }

    /**
     * Removes what older owners of the same stage have under a lease. Stages name their leases by
     * the same attempts, and count their fences each for itself.
     *
     * @throws SandboxException of kind FENCED when a newer one has it
     */
    public void replace(Lease lease) throws SandboxException {
        for (Found found : of(lease)) {
            sandboxes.remove(found.id());
        }
    }

    /**
     * What older owners of the same stage have under a lease.
     *
     * @throws SandboxException of kind FENCED when a newer one has it
     */
    public List<Found> of(Lease lease) throws SandboxException {
        List<Found> all = others(Labels.LEASE, lease.name());
        all.removeIf(
                found -> {
                    String owner = found.labels().getOrDefault(Labels.OWNER, "");
                    return !stage(owner).equals(stage(lease.owner()));
                });
        if (all.stream().anyMatch(found -> Labels.fence(found.labels()) > lease.fence())) {
            throw new SandboxException(Kind.FENCED, "a newer owner has the lease " + lease.name());
        }
        return all;
    }

    /** An owner without its subtask. */
    private static String stage(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf('/')));
    }

    /** Removes what older openings of an owner have left, and returns how many there were. */
    public int reap(String owner, long fence, Set<String> keep) throws SandboxException {
        return remove(
                Labels.OWNER,
                owner,
                found ->
                        Labels.fence(found.labels()) < fence
                                && !keep.contains(found.labels().get(Labels.LEASE)));
    }

    /** Leases of an owner, or of one below it. */
    public List<String> leases(String owner) throws SandboxException {
        return others(Labels.OWNER, "").stream()
                .filter(found -> isBelow(found.labels().get(Labels.OWNER), owner))
                .map(found -> found.labels().get(Labels.LEASE))
                .toList();
    }

    private static boolean isBelow(String label, String owner) {
        return label.equals(owner) || label.startsWith(owner + "/");
    }

    private int remove(String label, String value, Predicate<Found> which) throws SandboxException {
        int count = 0;
        for (Found found : others(label, value)) {
            if (which.test(found)) {
                sandboxes.remove(found.id());
                LOG.info("Removed a sandbox that was left labels={}", found.labels());
                count++;
            }
        }
        return count;
    }

    private List<Found> others(String label, String value) throws SandboxException {
        List<Found> others = new ArrayList<>(sandboxes.labelled(label, value));
        others.removeIf(found -> process.equals(found.labels().get(Labels.PROCESS)));
        return others;
    }
}
