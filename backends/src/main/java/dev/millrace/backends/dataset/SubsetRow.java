package dev.millrace.backends.dataset;

/**
 * A task as a subset lists it.
 *
 * @param line of the file; the first is 1
 * @param instanceId of the task; may be blank in a damaged file
 * @param taskPath of its folder, below the folder that datasets lie in; may be empty
 * @param category what subsets are balanced over
 * @param text the line, as it is
 */
public record SubsetRow(
        long line, String instanceId, String taskPath, String category, String text) {}
