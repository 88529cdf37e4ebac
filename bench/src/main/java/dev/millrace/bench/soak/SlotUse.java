package dev.millrace.bench.soak;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When attempts held rollout slots, read off the journal: from an attempt's admission to its
 * capture, its cancellation or its failure. Of runs whose attempts are not tried again.
 */
final class SlotUse {
    /**
     * A slot that an attempt held; times are milliseconds since 1970.
     *
     * @param until {@link Long#MAX_VALUE} while it holds it
     */
    private record Held(String run, long from, long until) {
        long within(long start, long end) {
            return Math.max(0, Math.min(until, end) - Math.max(from, start));
        }
    }

    private final Map<String, Held> attempts = new HashMap<>();

    /** Takes the next event of the journal, which was written at that time. */
    void add(StepEvent event, long at) {
        if (!event.stage().equals(RolloutMachine.STAGE)) {
            return;
        }
        String attempt = event.itemId() + ' ' + event.admissionId();
        Admission admission = event.admission();
        switch (event.kind()) {
            case ADMITTED ->
                    attempts.putIfAbsent(attempt, new Held(admission.runId(), at, Long.MAX_VALUE));
            case CAPTURED, CANCELLED, FAILED ->
                    attempts.computeIfPresent(
                            attempt,
                            (id, held) ->
                                    new Held(held.run(), held.from(), Math.min(held.until(), at)));
            default -> {
                // It goes on.
            }
        }
    }

    /** Slot-milliseconds that each of these runs used between two times. */
    Map<String, Long> between(List<String> runs, long start, long end) {
        Map<String, Long> used = new TreeMap<>();
        runs.forEach(run -> used.put(run, 0L));
        attempts.values()
                .forEach(held -> used.merge(held.run(), held.within(start, end), Long::sum));
        return used;
    }
}
