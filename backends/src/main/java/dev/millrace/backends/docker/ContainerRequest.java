package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.util.Map;
import java.util.TreeMap;

/** The document that a container is created from. */
final class ContainerRequest {
    /**
     * Process 1 collects what is orphaned inside and can't be killed from there. It ends by itself
     * after a day, for the case that everything that could remove it is gone.
     */
    private static final String KEEPER =
            "end=$(($(date +%s)+86400)); while [ $(date +%s) -lt $end ];"
                    + " do timeout 3600 tail -f /dev/null & wait $!; done";

    private static final int KEEPERS = 3;

    /** Nobody. Without privileges not even root can signal another user's processes. */
    private static final String KEEPER_USER = "65534:65534";

    private static final long MIB = 1L << 20;
    private static final long MOST_SHARED_MEMORY_MB = 64;
    private static final long MOST_OF_A_USER = 32_768;

    private ContainerRequest() {}

    /**
     * @param diskBytes most that the container may write, as its storage driver counts; 0 when the
     *     driver can't size it
     */
    static ObjectNode of(
            SandboxSpec spec, String image, Map<String, String> labels, long diskBytes) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("Image", image);
        // An image's own entry point would swallow the command.
        request.putArray("Entrypoint");
        request.putArray("Cmd").add("/bin/sh").add("-c").add(KEEPER);
        request.put("User", KEEPER_USER);
        request.put("NetworkDisabled", true);
        request.put("Hostname", "sandbox");
        new TreeMap<>(spec.environment())
                .forEach((name, value) -> request.withArray("Env").add(name + "=" + value));
        ObjectNode own = request.putObject("Labels");
        labels.forEach(own::put);
        host(request.putObject("HostConfig"), spec.limits(), diskBytes);
        return request;
    }

    private static void host(ObjectNode host, SandboxLimits limits, long diskBytes) {
        host.put("NetworkMode", "none");
        host.put("Memory", limits.memoryMb() * MIB);
        host.put("MemorySwap", limits.memoryMb() * MIB);
        host.put("NanoCpus", Math.round(limits.cpus() * 1e9));
        host.put("PidsLimit", limits.processes() + KEEPERS);
        host.put("ShmSize", Math.min(MOST_SHARED_MEMORY_MB, limits.diskMb()) * MIB);
        host.putArray("CapDrop").add("ALL");
        host.putArray("SecurityOpt").add("no-new-privileges");
        host.putObject("LogConfig").put("Type", "none");
        if (diskBytes > 0) {
            host.putObject("StorageOpt").put("size", Long.toString(diskBytes));
        }
        limit(host, "core", 0);
        limit(host, "nofile", 1024);
        // The kernel counts it over all containers of a user: the control group is what limits.
        limit(host, "nproc", MOST_OF_A_USER);
        limit(host, "fsize", limits.diskMb() * MIB);
    }

    private static void limit(ObjectNode host, String name, long value) {
        host.withArray("Ulimits")
                .addObject()
                .put("Name", name)
                .put("Soft", value)
                .put("Hard", value);
    }
}
