package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a daemon on its host can enforce.
 *
 * @param sizesDisk whether its storage driver can limit what a container writes
 * @param countsImage whether that limit counts the image's own bytes as well
 */
record EngineTraits(boolean sizesDisk, boolean countsImage, SandboxCapabilities capabilities) {
    private static final Set<String> SIZING =
            Set.of("btrfs", "zfs", "devicemapper", "windowsfilter");
    private static final long MIB = 1L << 20;

    /**
     * @throws SandboxException of kind UNSUPPORTED, with the remedy, when it enforces too little
     */
    static EngineTraits read(Engine engine, DockerSettings settings) throws SandboxException {
        JsonNode info =
                engine.json(
                        EngineCall.get(
                                "asking the daemon about its host",
                                "/info",
                                settings.requestTimeoutMillis()));
        for (String limit : List.of("MemoryLimit", "PidsLimit", "CpuCfsQuota")) {
            if (!info.path(limit).asBoolean()) {
                throw new SandboxException(
                        Kind.UNSUPPORTED,
                        "the Docker daemon can't enforce "
                                + limit
                                + ": give its host the control groups memory, pids and cpu");
            }
        }
        String driver = info.path("Driver").asText();
        boolean sized = SIZING.contains(driver) || isOnXfsWithQuota(info);
        if (!sized && settings.sizedDisk()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "the Docker daemon's storage driver "
                            + driver
                            + " can't limit a container's disk: keep its data on btrfs, or on xfs"
                            + " mounted with pquota, or set sandbox.docker.sizedDisk: false");
        }
        return new EngineTraits(sized, driver.equals("btrfs"), capabilities(info, driver, sized));
    }

    /** The daemon itself refuses a size at creation where the mount has no quota. */
    private static boolean isOnXfsWithQuota(JsonNode info) {
        if (!info.path("Driver").asText().startsWith("overlay")) {
            return false;
        }
        for (JsonNode line : info.path("DriverStatus")) {
            if (line.path(0).asText().equals("Backing Filesystem")) {
                return line.path(1).asText().equals("xfs");
            }
        }
        return false;
    }

    private static SandboxCapabilities capabilities(JsonNode info, String driver, boolean sized) {
        String groups = "control groups v" + info.path("CgroupVersion").asText("1");
        List<String> enforced = new ArrayList<>();
        for (String what : List.of("memory", "pids", "cpu")) {
            enforced.add(what + ": " + groups);
        }
        enforced.add("network: none");
        List<String> not = new ArrayList<>();
        if (sized) {
            enforced.add("disk: quota of " + driver + ", beside shared memory");
        } else {
            not.add("disk: only the size of single files is limited");
        }
        String security = info.path("SecurityOptions").toString();
        (security.contains("seccomp") ? enforced : not).add("seccomp");
        (security.contains("rootless") || security.contains("userns") ? enforced : not)
                .add("user namespace: root inside is not root of the host");
        return new SandboxCapabilities(SandboxCapabilities.Attach.SAME_PROCESS, enforced, not);
    }

    /** Size to ask for, or 0 when none can be had. */
    long diskBytes(SandboxLimits limits, long imageBytes) {
        long own = limits.diskMb() * MIB;
        return sizesDisk ? own + (countsImage ? imageBytes : 0) : 0;
    }
}
