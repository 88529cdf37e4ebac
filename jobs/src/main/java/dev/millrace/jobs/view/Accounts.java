package dev.millrace.jobs.view;

import java.util.List;
import java.util.Map;

/**
 * Where the training groups are: offered = trained + all dropped + open, always.
 *
 * @param offered groups that the gate admitted
 * @param trained groups in the newest weights
 * @param droppedByCause groups that were never trained on, by why
 * @param open groups in play, or waiting to be trained
 * @param violations what contradicts this, each naming its ids; empty when all is well
 */
public record Accounts(
        long offered,
        long trained,
        Map<String, Long> droppedByCause,
        long open,
        List<String> violations) {

    /** Accounts that were not checked. */
    Accounts(long offered, long trained, Map<String, Long> droppedByCause, long open) {
        this(offered, trained, droppedByCause, open, List.of());
    }

    /** All dropped groups. */
    public long dropped() {
        return droppedByCause.values().stream().mapToLong(Long::longValue).sum();
    }
}
