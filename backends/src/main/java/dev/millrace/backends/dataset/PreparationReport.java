package dev.millrace.backends.dataset;

import java.util.Map;

/**
 * What a preparation gave.
 *
 * @param rows that were read
 * @param tasks that were written
 * @param rejections how often each reason counted
 * @param subsets rows of each subset
 */
public record PreparationReport(
        long rows, int tasks, Map<String, Long> rejections, Map<String, Integer> subsets) {}
