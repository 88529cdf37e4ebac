package dev.millrace.bench.sim.client;

/** A service refused a call, or could not be reached. */
final class ServiceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Status of a call that got no answer at all. */
    static final int UNREACHABLE = 0;

    private final int status;

    ServiceFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
