package dev.millrace.pipeline.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which calls of a run to the outside fail. A point is a name such as {@code before publish}; its
 * calls are counted from 1 over all restarts.
 */
final class Faults {
    private final Map<String, List<Integer>> plan = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Integer> due = new HashMap<>();
    private final Map<String, Integer> onwards = new HashMap<>();
    private int fired;

    /** The calls of a point that fail, by their numbers. */
    synchronized Faults at(String point, Integer... calls) {
        plan.put(point, new ArrayList<>(List.of(calls)));
        return this;
    }

    /** The next calls of a point fail, that many. */
    synchronized void next(String point, int calls) {
        due.merge(point, calls, Integer::sum);
    }

    /** All calls of a point fail from this one on, until it is mended. */
    synchronized void from(String point, int call) {
        onwards.put(point, call);
    }

    /** No more calls of the point fail for {@link #from}. */
    synchronized void mend(String point) {
        onwards.remove(point);
    }

    /** Whether this call fails. */
    synchronized boolean hit(String point) {
        int count = counts.merge(point, 1, Integer::sum);
        List<Integer> planned = plan.getOrDefault(point, List.of());
        boolean hit = planned.contains(count);
        if (hit) {
            planned.remove((Integer) count);
        } else if (due.getOrDefault(point, 0) > 0) {
            due.merge(point, -1, Integer::sum);
            hit = true;
        } else if (count >= onwards.getOrDefault(point, Integer.MAX_VALUE)) {
            hit = true;
        }
        if (hit) {
            fired++;
            notifyAll();
        }
        return hit;
    }

    /** Points that were planned and have not come. */
    synchronized List<String> outstanding() {
        List<String> left = new ArrayList<>();
        plan.forEach((point, calls) -> calls.forEach(call -> left.add(point + " " + call)));
        due.forEach((point, calls) -> left.addAll(calls > 0 ? List.of(point) : List.of()));
        return left;
    }

    synchronized int fired() {
        return fired;
    }

    /** Waits until that many have come in all, but no longer than a minute. */
    synchronized void awaitFired(int count) {
        long end = System.nanoTime() + 60_000_000_000L;
        try {
            while (fired < count && System.nanoTime() < end) {
                wait(1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
