package dev.millrace.backends.modal;

/** A sandbox with its connection, which is closed before it is ended. */
final class OpenSandbox {
    private final SandboxLife life;
    private Router router;
    private boolean disconnected;

    OpenSandbox(ModalSandboxes sandboxes, String id, Runnable onEnd) {
        this.life = new SandboxLife(sandboxes, id, this::disconnect, onEnd);
    }

    SandboxLife life() {
        return life;
    }

    synchronized Router router() {
        return router;
    }

    synchronized void connect(Router opened) {
        router = opened;
        if (disconnected) {
            opened.close();
        }
    }

    private synchronized void disconnect() {
        disconnected = true;
        if (router != null) {
            router.close();
        }
    }
}
