package dev.millrace.udfs.model;

/**
 * A sandbox stands ready and the policy has something to read.
 *
 * @param promptTokens ids up to where the policy speaks first
 */
public record Booted(int[] promptTokens) {}
