package dev.millrace.backends.docker;

import dev.millrace.backends.port.Lease;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * What a container says about whose it is; the daemon keeps it out of reach of what runs inside.
 */
final class Labels {
    static final String LEASE = "dev.millrace.lease";
    static final String OWNER = "dev.millrace.owner";
    static final String PROCESS = "dev.millrace.process";
    static final String HOST = "dev.millrace.host";
    private static final String FENCE = "dev.millrace.fence";
    private static final int NAME_DIGITS = 32;

    private Labels() {}

    static Map<String, String> of(Lease lease, String process) {
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

    static long fence(Map<String, String> labels) {
        String text = labels.getOrDefault(FENCE, "");
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Process ids mean something on one host only, and two may share a daemon. */
    static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /** Of a container: one for each lease, fence and provider. */
    static String name(Lease lease, String process) {
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
