package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.Lease;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * What a sandbox of a service says about whose it is; the service keeps it out of reach of what
 * runs inside.
 */
public final class Labels {
    /** Name of the lease. */
    public static final String LEASE = "dev.millrace.lease";

    /** Label of the owner. */
    public static final String OWNER = "dev.millrace.owner";

    /** Stamp of the provider that made it. */
    public static final String PROCESS = "dev.millrace.process";

    /** Host of that process. */
    public static final String HOST = "dev.millrace.host";

    /** Fence of the lease. */
    public static final String FENCE = "dev.millrace.fence";

    private static final int NAME_DIGITS = 32;

    private Labels() {}

    /** Those of a new sandbox. */
    public static Map<String, String> of(Lease lease, String process) {
        return Map.of(
                LEASE,
                lease.name(),
                OWNER,
                lease.owner(),
                FENCE,
                Long.toString(lease.fence()),
                PROCESS,
                process,
                HOST,
                host());
    }

    /** The fence that they name; 0 where they name none. */
    public static long fence(Map<String, String> labels) {
        String text = labels.getOrDefault(FENCE, "");
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Process ids mean something on one host only, and two may share a daemon. */
    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Name of a sandbox: one for each lease, fence and provider. */
    public static String name(Lease lease, String process) {
        String key = lease.name() + "\n" + lease.fence() + "\n" + process;
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(key.getBytes(StandardCharsets.UTF_8));
            return "millrace-" + HexFormat.of().formatHex(digest).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
