package dev.millrace.udfs.step;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How often effects fail, cause by cause, among the newest {@value #WINDOW}. A cause that comes up
 * too often is said once, and again only after it has become rare meanwhile.
 *
 * <p>Not thread-safe.
 */
public final class FailureRates {
    /** Effects that are looked at. */
    public static final int WINDOW = 1000;

    /** Failures of one cause among them that are too many: one in a hundred. */
    public static final int TOO_MANY = 10;

    private final Deque<String> newest = new ArrayDeque<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> said = new HashSet<>();

    /**
     * A cause that comes up too often.
     *
     * @param cause as its failures name it
     * @param failures that many
     * @param effects among so many
     */
    public record Alarm(String cause, int failures, int effects) {}

    /**
     * Takes how an effect ended.
     *
     * @param cause of its failure, or empty
     * @return what is to be said now, if anything
     */
    public Optional<Alarm> ended(String cause) {
        newest.add(cause);
        if (newest.size() > WINDOW) {
            forget(newest.remove());
        }
        if (cause.isEmpty()) {
            return Optional.empty();
        }
        int failures = counts.merge(cause, 1, Integer::sum);
        return failures >= TOO_MANY && said.add(cause)
                ? Optional.of(new Alarm(cause, failures, newest.size()))
                : Optional.empty();
    }

    private void forget(String cause) {
        if (cause.isEmpty()) {
            return;
        }
        int left = counts.merge(cause, -1, Integer::sum);
        if (left == 0) {
            counts.remove(cause);
        }
        if (2 * left < TOO_MANY) {
            said.remove(cause);
        }
    }
}
