package dev.millrace.backends.modal;

/**
 * How often a call that failed is made again.
 *
 * @param retries most repetitions, not counting those that the server asked for
 * @param firstMillis pause before the first; each is twice as long as the one before
 * @param mostMillis longest of them
 * @param throttleMillis most that is waited in all because the server asked for it
 */
record RetryPolicy(int retries, long firstMillis, long mostMillis, long throttleMillis) {
    private static final int CONTROL_RETRIES = 3;
    private static final int ROUTER_RETRIES = 10;
    private static final int ROUTER_SHARE = 10;
    private static final long MOST_MILLIS = 1_000;

    /** For the control plane. */
    static RetryPolicy control(ModalTimes times) {
        return new RetryPolicy(
                CONTROL_RETRIES, times.retryMillis(), MOST_MILLIS, times.throttleMillis());
    }

    /** For what is next to a sandbox: sooner and more often. */
    static RetryPolicy router(ModalTimes times) {
        return new RetryPolicy(
                ROUTER_RETRIES,
                Math.max(1, times.retryMillis() / ROUTER_SHARE),
                MOST_MILLIS,
                times.throttleMillis());
    }

    /** Pause before a repetition, counted from 0. */
    long pauseMillis(int repetition) {
        return Math.min(mostMillis, firstMillis << Math.min(repetition, 20));
    }
}
