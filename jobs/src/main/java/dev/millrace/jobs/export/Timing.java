package dev.millrace.jobs.export;

import java.time.Instant;

/**
 * From when to when something lasted, as ISO 8601; null when that is not known.
 *
 * @param startedAt its begin
 * @param finishedAt its end
 */
record Timing(String startedAt, String finishedAt) {
    static Timing of(Instant startedAt, Instant finishedAt) {
        return new Timing(startedAt.toString(), finishedAt.toString());
    }
}
