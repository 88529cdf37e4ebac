package dev.millrace.pipeline.topology;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which operations on sandboxes fail. That depends on the seed, on the attempt and try, and on the
 * how-manieth operation of its kind it is, not on when it comes. Remembers whom it struck.
 */
final class FaultPlan {
    private final long seed;
    private final double rate;
    private final Map<String, Integer> asked = new TreeMap<>();
    private final Map<String, Integer> failed = new TreeMap<>();
    private final Map<String, Integer> numbers = new TreeMap<>();
    private final Set<String> struck = ConcurrentHashMap.newKeySet();

    FaultPlan(long seed, double rate) {
        this.seed = seed;
        this.rate = rate;
    }

    /**
     * Whether this operation fails.
     *
     * @param lease attempt, admission and try
     */
    synchronized boolean hit(String lease, String operation) {
        boolean hit = fails(lease, operation);
        if (hit) {
            struck.add(lease);
        }
        return hit;
    }

    /** The same for an operation that comes when all is done, and strikes nobody. */
    synchronized boolean hitAtTheEnd(String lease, String operation) {
        return fails(lease, operation);
    }

    private boolean fails(String lease, String operation) {
        String place = attempt(lease) + lease.substring(lease.lastIndexOf('/')) + " " + operation;
        int number = numbers.merge(place, 1, Integer::sum);
        asked.merge(operation, 1, Integer::sum);
        long mixed = seed * 31 + (place + " " + number).hashCode();
        boolean hit = new SplittableRandom(mixed).nextDouble() < rate;
        if (hit) {
            failed.merge(operation, 1, Integer::sum);
        }
        return hit;
    }

    /** How often each operation was asked for. */
    synchronized Map<String, Integer> asked() {
        return Map.copyOf(asked);
    }

    /** How often each operation failed. */
    synchronized Map<String, Integer> failed() {
        return Map.copyOf(failed);
    }

    /** Leases of tries and gradings that something failed in. */
    Set<String> struck() {
        return Set.copyOf(struck);
    }

    /** The attempt that a lease belongs to. */
    static String attempt(String lease) {
        return lease.substring(0, lease.lastIndexOf('/', lease.lastIndexOf('/') - 1));
    }
}
