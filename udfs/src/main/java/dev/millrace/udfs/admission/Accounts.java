package dev.millrace.udfs.admission;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * What became of all training groups: offered = trained + dropped + open.
 *
 * @param offered indexes that were given out
 * @param trained groups in a published version
 * @param dropped by cause
 * @param open admitted, waiting or in an unpublished step
 */
public record Accounts(long offered, long trained, Map<String, Long> dropped, long open) {
    /** Dropped groups of all causes. */
    public long droppedTotal() {
        return dropped.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        String causes =
                dropped.entrySet().stream()
                        .map(e -> e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "));
        return "offered "
                + offered
                + " = trained "
                + trained
                + " + dropped "
                + droppedTotal()
                + " ("
                + causes
                + ") + open "
                + open;
    }
}
