package dev.millrace.backends.docker;

import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.OwnerStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Containers of other providers, which live on when their process has ended. */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

    private final Containers containers;
    private final String process;

    /**
     * @param process stamp of the provider whose containers are no strays
     */
    Strays(Containers containers, String process) {
        this.containers = containers;
        this.process = process;
    }

    /** Removes what processes of this host that are gone have left. */
    int clearUp() throws SandboxException {
        return remove(
                Labels.HOST + "=" + Labels.host(),
                found -> OwnerStamp.isStale(found.labels().getOrDefault(Labels.PROCESS, "")));
    }

    /**
     * Removes what older owners of the same stage have under a lease. Stages name their leases by
     * the same attempts, and count their fences each for itself.
     *
     * @throws SandboxException of kind FENCED when a newer one has it
     */
    void replace(Lease lease) throws SandboxException {
        for (Containers.Found found : others(Labels.LEASE + "=" + lease.name())) {
            String owner = found.labels().getOrDefault(Labels.OWNER, "");
            if (!stage(owner).equals(stage(lease.owner()))) {
                continue;
            }
            if (Labels.fence(found.labels()) > lease.fence()) {
                throw new SandboxException(
                        Kind.FENCED, "a newer owner has the lease " + lease.name());
            }
            containers.remove(found.id());
        }
    }

    /** An owner without its subtask. */
    private static String stage(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf('/')));
    }

    /** Removes what older openings of an owner have left, and returns how many there were. */
    int reap(String owner, long fence, Set<String> keep) throws SandboxException {
        return remove(
                Labels.OWNER + "=" + owner,
                found ->
                        Labels.fence(found.labels()) < fence
                                && !keep.contains(found.labels().get(Labels.LEASE)));
    }

    /** Leases of an owner, or of one below it. */
    List<String> leases(String owner) throws SandboxException {
        return others(Labels.OWNER).stream()
                .filter(found -> isBelow(found.labels().get(Labels.OWNER), owner))
                .map(found -> found.labels().get(Labels.LEASE))
                .toList();
    }

    private static boolean isBelow(String label, String owner) {
        return label.equals(owner) || label.startsWith(owner + "/");
    }

    private int remove(String label, Predicate<Containers.Found> which) throws SandboxException {
        int count = 0;
        for (Containers.Found found : others(label)) {
            if (which.test(found)) {
                containers.remove(found.id());
                LOG.info("Removed a container that was left labels={}", found.labels());
                count++;
            }
        }
        return count;
    }

    private List<Containers.Found> others(String label) throws SandboxException {
        List<Containers.Found> others = new ArrayList<>(containers.labelled(label));
        others.removeIf(found -> process.equals(found.labels().get(Labels.PROCESS)));
        return others;
    }
}
