package dev.millrace.udfs.dataset;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which rows become tasks.
 *
 * @param minGrade worst grade that is let through, or {@code none} for all
 * @param languages that are let through, lower case
 * @param parsers names of log parsers that are let through
 */
public record RowFilter(String minGrade, Set<String> languages, Set<String> parsers) {
    /** Lets all grades through. */
    public static final String NO_GRADE = "none";

    /** Reason of rows that nobody knows how to test. */
    public static final String NO_COMMAND = "no test command";

    /** Why a row is not let through; nothing when it is. The first reason counts. */
    public Optional<String> rejection(DatasetRow row) {
        if (!goodEnough(row.quality())) {
            return Optional.of("quality grade");
        }
        String language = row.language().strip().toLowerCase(Locale.ROOT);
        if (!languages.contains(language)) {
            return Optional.of("unsupported language '" + language + "'");
        }
        if (!parsers.contains(row.logParser())) {
            return Optional.of("unsupported log parser '" + row.logParser() + "'");
        }
        return missing(row);
    }

    private boolean goodEnough(RowQuality quality) {
        if (quality == null || minGrade.equalsIgnoreCase(NO_GRADE)) {
            return true;
        }
        String code = quality.code().toUpperCase(Locale.ROOT);
        return !code.isEmpty() && code.compareTo(minGrade) <= 0 && !quality.issueDetected();
    }

    private static Optional<String> missing(DatasetRow row) {
        if (row.testCommand().isEmpty()) {
            return Optional.of(NO_COMMAND);
        }
        if (row.imageName().isEmpty()) {
            return Optional.of("no image");
        }
        if (row.failToPass().isEmpty()) {
            return Optional.of("no FAIL_TO_PASS");
        }
        if (row.testPatch().isBlank()) {
            return Optional.of("no test patch");
        }
        if (row.workdir().length() <= 1) {
            return Optional.of("no working folder");
        }
        return Optional.empty();
    }
}
