package dev.millrace.backends.harbor;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which network a task asks for. There is none. */
final class NetworkRequest {
    private static final Pattern HOST =
            Pattern.compile(
                    "(\\*\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private NetworkRequest() {}

    /** The mode that an environment asks for. */
    static String mode(TaskToml section) {
        boolean closed = !section.flag("allow_internet").orElse(true);
        return section.text("network_mode")
                .orElse(closed && !section.has("allowed_hosts") ? "no-network" : "public");
    }

    /**
     * Refuses what can't be given to an environment.
     *
     * @param notes gets a word about a network that is asked for
     */
    static void check(TaskToml section, List<String> notes) {
        String mode = mode(section);
        checkHosts(section);
        if (mode.equals("allowlist")) {
            section.problem("network_mode", "'allowlist' is unsupported", "use no-network");
        } else if (section.has("allowed_hosts")) {
            String message = "is there without network_mode = \"allowlist\"";
            section.problem("allowed_hosts", message, "remove it");
        } else if (mode.equals("public")) {
            notes.add("a network is asked for and there is none");
        } else if (!mode.equals("no-network")) {
            section.problem("network_mode", "'" + mode + "' is unknown", "use no-network");
        }
    }

    /** Refuses another network for a phase than its environment's. */
    static void refuseSwitch(TaskToml toml, String phase, String mode) {
        String key = phase + ".network_mode";
        if (!toml.text(key).orElse(mode).equals(mode)) {
            toml.problem(key, "another network per phase is unsupported", "remove it");
        }
    }

    private static void checkHosts(TaskToml section) {
        for (TaskToml entry : section.items("allowed_hosts")) {
            entry.text("").filter(host -> !isHost(host)).ifPresent(host -> refuse(entry, host));
        }
    }

    private static void refuse(TaskToml entry, String host) {
        entry.problem(
                "",
                "'" + host + "' is no host",
                "write a name, or *. and a name, without scheme, port and path");
    }

    /** A name, or all names below one; capitals and a dot at the end don't matter. */
    static boolean isHost(String entry) {
        String plain = entry.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        return HOST.matcher(plain).matches();
    }
}
