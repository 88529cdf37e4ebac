package dev.millrace.backends.docker;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * How containers are made.
 *
 * @param socket of the daemon
 * @param image of sandboxes that ask for none; may be empty
 * @param user numeric user and group of commands and of the files put in, {@code 1000:1000}
 * @param shell program that runs a command's text
 * @param sizedDisk whether a daemon that can't size a container's disk is refused; otherwise only
 *     single files are limited there
 * @param requestTimeoutMillis longest time the daemon may take to answer
 * @param pullTimeoutMillis longest time an image may take to be pulled
 * @param killGraceMillis how long after a limit fired the command may take to be gone before the
 *     container is restarted
 * @param hardOutputBytes a command that writes more is ended
 */
public record DockerSettings(
        Path socket,
        String image,
        String user,
        String shell,
        boolean sizedDisk,
        long requestTimeoutMillis,
        long pullTimeoutMillis,
        long killGraceMillis,
        long hardOutputBytes) {
    private static final Pattern USER = Pattern.compile("[0-9]{1,9}:[0-9]{1,9}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    /** Keeps containers alive, out of the commands' reach. */
    private static final int KEEPER = 65_534;

    /** Checks the user. */
    public DockerSettings {
        if (!USER.matcher(user).matches()) {
            throw new IllegalArgumentException(
                    "user '" + user + "' is not two numbers, such as 1000:1000");
        }
    }

    /** The usual values. */
    public static DockerSettings at(Path socket, String image) {
        return new DockerSettings(
                socket, image, "1000:1000", "/bin/sh", true, 60_000, 1_800_000, 5_000, 64L << 20);
    }

    /**
     * Whether commands can run as that user: any number but root's, which is the host's root as
     * well. Names are known to images alone.
     */
    static boolean serves(String user) {
        if (user.isEmpty()) {
            return true;
        }
        int uid = NUMBER.matcher(user).matches() ? Integer.parseInt(user) : 0;
        return uid != 0 && uid != KEEPER;
    }

    /** The same with commands of another user; empty for the same. */
    DockerSettings as(String other) {
        if (other.isEmpty()) {
            return this;
        }
        return new DockerSettings(
                socket,
                image,
                other + ":" + other,
                shell,
                sizedDisk,
                requestTimeoutMillis,
                pullTimeoutMillis,
                killGraceMillis,
                hardOutputBytes);
    }

    int uid() {
        return Integer.parseInt(user.substring(0, user.indexOf(':')));
    }

    int gid() {
        return Integer.parseInt(user.substring(user.indexOf(':') + 1));
    }
}
