package dev.millrace.backends.tinker;

import java.io.Serializable;

/**
 * How long a server is given. All times are milliseconds.
 *
 * @param connect opening a connection
 * @param submit an answer to a call that only queues work
 * @param poll one question for a result; a server may hold it open for 300 s
 * @param heartbeat between two signs of life of a session
 * @param retry a server that does not answer, or is busy, is asked again for that long
 * @param capacity a server that has no free adapter slot is waited for that long
 * @param backoff first pause between calls that fail; doubles up to 20 times as much
 */
public record TinkerTimes(
        long connect,
        long submit,
        long poll,
        long heartbeat,
        long retry,
        long capacity,
        long backoff)
        implements Serializable {

    /** Values for servers on a network. */
    public static TinkerTimes usual() {
        return new TinkerTimes(5_000, 60_000, 310_000, 10_000, 300_000, 600_000, 500);
    }
}
