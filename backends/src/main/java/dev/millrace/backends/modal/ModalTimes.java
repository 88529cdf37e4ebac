package dev.millrace.backends.modal;

/**
 * How long things may take, in milliseconds.
 *
 * @param requestMillis one answer of the server
 * @param startMillis a sandbox from its creation to its first command
 * @param pollMillis between two looks at a sandbox that starts
 * @param imageMillis an image that has to be built
 * @param throttleMillis most that one call waits for a server that asks for pauses; 0 not at all
 * @param retryMillis before the first repetition of a call that failed; the next ones wait longer
 * @param killGraceMillis for a command to be gone after a limit fired, before its sandbox is ended
 * @param lifetimeMillis after which a sandbox ends whatever happens
 */
public record ModalTimes(
        long requestMillis,
        long startMillis,
        long pollMillis,
        long imageMillis,
        long throttleMillis,
        long retryMillis,
        long killGraceMillis,
        long lifetimeMillis) {

    /** The usual ones. */
    public static final ModalTimes USUAL =
            new ModalTimes(60_000, 300_000, 500, 1_800_000, 120_000, 100, 10_000, 24L * 3_600_000);
}
