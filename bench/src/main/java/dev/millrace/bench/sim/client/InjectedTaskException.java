package dev.millrace.bench.sim.client;

/** A fault plan wants the task that uses an adapter to fail. */
final class InjectedTaskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InjectedTaskException() {
        super("a fault plan raised this");
    }
}
