package dev.millrace.operators.step;

/**
 * Small marker of an item that is being played: finding the open items reads these, not their
 * events.
 *
 * @param admissionId which admission of it
 * @param events how many it has
 */
public record OpenItem(String admissionId, int events) {}
