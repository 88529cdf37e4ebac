package dev.millrace.udfs.dataset;

/**
 * A judgement on a row that its dataset brings along.
 *
 * @param code grade, for instance {@code A} or {@code B7}; empty when there is none
 * @param issueDetected whether any issue of the task was found
 */
public record RowQuality(String code, boolean issueDetected) {}
