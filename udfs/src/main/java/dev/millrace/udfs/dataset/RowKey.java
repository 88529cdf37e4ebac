package dev.millrace.udfs.dataset;

/**
 * What decides about a row's side of a split.
 *
 * @param repository rows of one repository stay together
 * @param category what subsets are balanced over, a language for instance
 */
public record RowKey(String repository, String category) {
    /** Category of rows that name none. */
    public static final String UNKNOWN = "?";

    /** Key of a row of that language. */
    public static RowKey of(DatasetRow row) {
        String language = row.language().isEmpty() ? UNKNOWN : row.language();
        return new RowKey(row.repo().intern(), language.intern());
    }
}
