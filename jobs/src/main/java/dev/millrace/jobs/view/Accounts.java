package dev.millrace.jobs.view;

import java.util.Map;

/**
 * Where the training groups are: offered = trained + all dropped + open, always.
 *
 * @param offered groups that the gate admitted
 * @param trained groups in the newest weights
 * @param droppedByCause groups that were never trained on, by why
 * @param open groups in play, or waiting to be trained
 */
public record Accounts(long offered, long trained, Map<String, Long> droppedByCause, long open) {

    /** All dropped groups. */
    public long dropped() {
        return droppedByCause.values().stream().mapToLong(Long::longValue).sum();
    }
}
