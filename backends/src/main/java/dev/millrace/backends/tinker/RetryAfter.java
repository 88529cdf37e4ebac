package dev.millrace.backends.tinker;

import java.net.http.HttpHeaders;

/** The pause that a server asks for. */
final class RetryAfter {
    private static final double MOST_SECONDS = 60;

    private RetryAfter() {}

    /** Milliseconds; 0 when it asks for none, or for one that makes no sense. */
    static long millis(HttpHeaders headers) {
        double seconds =
                headers.firstValue("retry-after-ms")
                        .map(value -> number(value) / 1000)
                        .orElseGet(
                                () ->
                                        headers.firstValue("Retry-After")
                                                .map(RetryAfter::number)
                                                .orElse(0.0));
        return seconds > 0 && seconds <= MOST_SECONDS ? Math.round(seconds * 1000) : 0;
    }

    /** A date, too, counts as nothing. */
    private static double number(String value) {
        try {
            return Double.parseDouble(value.strip());
        } catch (NumberFormatException notOne) {
            return 0;
        }
    }
}
