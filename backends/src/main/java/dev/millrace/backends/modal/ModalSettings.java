package dev.millrace.backends.modal;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How sandboxes are made.
 *
 * @param server address of the control plane; plaintext where it begins with {@code http:}
 * @param app they belong to; made when it is missing
 * @param environment of the workspace; empty for its usual one
 * @param image registry tag for sandboxes that ask for none; may be empty
 * @param layers Dockerfile lines on top of every image, one layer each
 * @param builderVersion of images; empty for the environment's own
 * @param user numeric user and group of commands and of the files put in, not root
 * @param shell program that runs a command's text
 * @param createsPerSecond most sandboxes created in a second by this process; 0 for no limit
 * @param mostSandboxes at once, of this process
 * @param hardOutputBytes a command that writes more is ended
 * @param times how long things may take
 */
public record ModalSettings(
        URI server,
        String app,
        String environment,
        String image,
        List<String> layers,
        String builderVersion,
        String user,
        String shell,
        double createsPerSecond,
        int mostSandboxes,
        long hardOutputBytes,
        ModalTimes times) {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern USER = Pattern.compile("[1-9][0-9]{0,8}:[1-9][0-9]{0,8}");

    /** Checks the user. */
    public ModalSettings {
        if (!USER.matcher(user).matches()) {
            throw new IllegalArgumentException(
                    "user '" + user + "' is not two numbers above 0, such as 1000:1000");
        }
        layers = List.copyOf(layers);
    }

    /** The usual values. */
    public static ModalSettings of(String app, String image) {
        return new ModalSettings(
                URI.create("https://api.modal.com"),
                app,
                "",
                image,
                List.of(),
                "",
                "1000:1000",
                "/bin/sh",
                4,
                1000,
                64L << 20,
                ModalTimes.USUAL);
    }

    /** Whether commands can run as that user: any number but root's. Only images know names. */
    static boolean serves(String user) {
        return user.isEmpty() || NUMBER.matcher(user).matches();
    }

    /** The same with commands of another user; empty for the same. */
    ModalSettings as(String other) {
        if (other.isEmpty()) {
            return this;
        }
        return new ModalSettings(
                server,
                app,
                environment,
                image,
                layers,
                builderVersion,
                other + ":" + other,
                shell,
                createsPerSecond,
                mostSandboxes,
                hardOutputBytes,
                times);
    }

    boolean plaintext() {
        return "http".equals(server.getScheme());
    }

    String uid() {
        return user.substring(0, user.indexOf(':'));
    }

    String gid() {
        return user.substring(user.indexOf(':') + 1);
    }
}
