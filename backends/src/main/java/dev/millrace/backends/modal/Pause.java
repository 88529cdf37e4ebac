package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;

/** Waiting, until the caller is cancelled. */
final class Pause {
    private Pause() {}

    static void millis(long millis) throws SandboxException {
        try {
            Thread.sleep(Math.max(0, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        }
    }
}
