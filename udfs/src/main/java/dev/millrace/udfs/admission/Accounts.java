package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.StepAccounts;
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
    /**
     * Those of a balance.
     *
     * @throws IllegalStateException naming groups for which offered = trained + dropped + open does
     *     not hold
     */
    static Accounts of(StepAccounts balance) {
        Accounts accounts =
                new Accounts(
                        balance.offered(), balance.trained(), balance.dropped(), balance.open());
        if (!balance.violations().isEmpty()) {
            throw new IllegalStateException(
                    "The accounts do not balance: "
                            + accounts
                            + "; "
                            + String.join(", ", balance.violations()));
        }
        return accounts;
    }

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
