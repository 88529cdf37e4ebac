package dev.millrace.udfs.dataset;

/**
 * What decides about a row's side of a split.
 *
 * @param repository rows of one repository stay together
 * @param category what subsets are balanced over, a language for instance
 */
public record RowKey(String repository, String category) {}
