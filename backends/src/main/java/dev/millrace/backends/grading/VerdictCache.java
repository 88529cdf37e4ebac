package dev.millrace.backends.grading;

import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Graded;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Verdicts by task and exact content of the workspace, for verifiers that always say the same about
 * the same files. Off when its capacity is 0. Thread-safe.
 */
final class VerdictCache {
    private final Map<String, Graded> verdicts;
    private final int capacity;

    VerdictCache(int capacity) {
        this.capacity = capacity;
        this.verdicts =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Graded> eldest) {
                        return size() > VerdictCache.this.capacity;
                    }
                };
    }

    synchronized Optional<Graded> find(FinishedAttempt attempt) {
        return Optional.ofNullable(verdicts.get(key(attempt)));
    }

    synchronized void keep(FinishedAttempt attempt, Graded verdict) {
        if (capacity > 0) {
            verdicts.put(key(attempt), verdict);
        }
    }

    private static String key(FinishedAttempt attempt) {
        return attempt.admission().task().uri() + "\n" + attempt.workspace().sha256();
    }
}
