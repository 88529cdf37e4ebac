package dev.millrace.udfs.model;

import java.util.List;
import java.util.Map;

/**
 * What became of all training groups by the time that a step closed: offered = trained + dropped +
 * open.
 *
 * @param offered groups that were admitted
 * @param trained groups in the step's version
 * @param dropped by cause
 * @param open in play, waiting, or in a later step
 * @param violations what contradicts the identity, each naming its ids; empty when it holds
 */
public record StepAccounts(
        long offered,
        long trained,
        Map<String, Long> dropped,
        long open,
        List<String> violations) {}
