package dev.millrace.backends.bubblewrap;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one user of a sandbox. Whoever it is inside, on the host it is the id of the sandbox's slot,
 * and it has no capabilities: {@code root} owns all files of the sandbox and may do nothing else
 * that others may not.
 *
 * @param name in the sandbox's {@code passwd}
 * @param uid number of user and group
 * @param home its home folder
 */
record SandboxUser(String name, int uid, String home) {
    /** Whom commands run as that say nothing else. */
    static final SandboxUser AGENT = new SandboxUser("agent", 1000, "/home/agent");

    private static final SandboxUser ROOT = new SandboxUser("root", 0, "/root");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");

    /**
     * By its name or its number; another name than {@code root} gets the usual number.
     *
     * @return empty for what is neither
     */
    static Optional<SandboxUser> of(String text) {
        if (text.isEmpty()) {
            return Optional.of(AGENT);
        }
        if (NUMBER.matcher(text).matches()) {
            int uid = Integer.parseInt(text);
            return Optional.of(uid == 0 ? ROOT : new SandboxUser(AGENT.name, uid, AGENT.home));
        }
        if (!NAME.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(
                text.equals(ROOT.name) ? ROOT : new SandboxUser(text, AGENT.uid, "/home/" + text));
    }

    /** Content of {@code /etc/passwd}. */
    String passwd() {
        return name + ":x:" + uid + ":" + uid + "::" + home + ":/bin/sh\n";
    }

    /** Content of {@code /etc/group}. */
    String group() {
        return name + ":x:" + uid + ":\n";
    }
}
