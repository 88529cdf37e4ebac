package dev.millrace.backends.harbor;

import java.util.List;

/**
 * Whether a task is fit for use.
 *
 * @param task its name
 * @param valid whether its solution passes and an untouched environment does not
 * @param reason why not; empty when it is
 * @param oracle verdict on the reference solution; null when it did not come to that
 * @param nop verdict on the untouched environment; null when it did not come to that
 * @param notes where the task is run in another way than it asks for
 */
public record TaskReport(
        String task,
        boolean valid,
        String reason,
        Verdict oracle,
        Verdict nop,
        List<String> notes) {}
