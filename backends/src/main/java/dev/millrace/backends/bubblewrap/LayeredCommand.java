package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.ShellText;

/**
 * The command line of a sandbox whose file tree is an overlay: below it a layer that others use as
 * well, above it a memory disk of its own. Mounted in user and mount namespaces of its own, which
 * end with the sandbox, so that neither root nor an ordinary user leaves a mount behind.
 */
final class LayeredCommand {
    /**
     * Where the disk is mounted, hiding what the host has there. The way to a slot's folder may be
     * closed to its id.
     */
    private static final String DISK = "/mnt";

    /** Folder of the tree. */
    static final String ROOT = DISK + "/root";

    static final String UPPER = DISK + "/upper";
    private static final String WORK = DISK + "/work";
    private static final String ABOVE = ",upperdir=" + UPPER + ",workdir=" + WORK;

    private LayeredCommand() {}

    /**
     * As shell text, for the launcher in a slot's folder.
     *
     * @param layer paths of the layer and those below it from there, with colons between
     * @param bytes size of the memory disk
     * @param bwrap the sandbox's command line, on {@link #ROOT}
     */
    static String of(String layer, long bytes, String bwrap) {
        String script =
                String.join(
                        " && ",
                        "mount -t tmpfs -o mode=755,nosuid,nodev,size=" + bytes + " none " + DISK,
                        "mkdir -m 755 " + UPPER + " " + WORK + " " + ROOT,
                        "mount -t overlay -o userxattr,lowerdir=" + layer + ABOVE + " none " + ROOT,
                        "exec " + bwrap);
        return "unshare --user --map-root-user --mount --propagation private /bin/sh -c "
                + ShellText.quote(script);
    }
}
