package dev.millrace.bench.soak;

/** Waiting between two looks at something. */
final class Pause {
    private Pause() {}

    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The soak was interrupted", e);
        }
    }
}
