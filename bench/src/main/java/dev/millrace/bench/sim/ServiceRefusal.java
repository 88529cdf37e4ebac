package dev.millrace.bench.sim;

/** A service does not do what it was asked for. */
final class ServiceRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    ServiceRefusal(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
