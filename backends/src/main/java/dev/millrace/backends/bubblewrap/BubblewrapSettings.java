package dev.millrace.backends.bubblewrap;

import java.nio.file.Path;

/**
 * How sandboxes are made on this host.
 *
 * @param scratch private folder for pipes; a few small files per live sandbox, nothing of its
 *     content
 * @param shell what runs commands
 * @param firstUid when this process is root: sandboxes run under host ids from here on, one for
 *     each; no file of the host should belong to them
 * @param createTimeoutMillis longest time a sandbox may take to start
 * @param killGraceMillis how long after a limit fired the command may take to be gone before the
 *     whole sandbox is ended
 * @param hardOutputBytes a command that writes more is ended
 * @param tracing whether processes of a sandbox may trace each other, which debuggers and leak
 *     checkers do
 * @param preparation what commands get that make an environment on an image
 */
public record BubblewrapSettings(
        Path scratch,
        Shell shell,
        int firstUid,
        long createTimeoutMillis,
        long killGraceMillis,
        long hardOutputBytes,
        boolean tracing,
        PreparationGrant preparation) {

    /** What runs a command. */
    public enum Shell {
        /** The control shell itself, in a subshell: POSIX sh, no process of its own, fast. */
        SH,
        /** A fresh bash in a session of its own for each command. */
        BASH
    }

    /** The usual values. */
    public static BubblewrapSettings in(Path scratch, Shell shell) {
        return new BubblewrapSettings(
                scratch, shell, 2_000_000, 10_000, 2_000, 64L << 20, false, PreparationGrant.NONE);
    }

    /** The same with that granted to preparation. */
    public BubblewrapSettings granting(PreparationGrant granted) {
        return new BubblewrapSettings(
                scratch,
                shell,
                firstUid,
                createTimeoutMillis,
                killGraceMillis,
                hardOutputBytes,
                tracing,
                granted);
    }
}
