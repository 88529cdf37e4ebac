package dev.millrace.backends.fake.tinker;

/** A call is answered with a status other than 200, or an operation fails. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refusal(int status, String detail) {
        super(detail);
        this.status = status;
    }

    int status() {
        return status;
    }
}
