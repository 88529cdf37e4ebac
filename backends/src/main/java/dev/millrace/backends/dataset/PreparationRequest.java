package dev.millrace.backends.dataset;

import dev.millrace.udfs.dataset.RowFilter;
import java.nio.file.Path;
import java.util.List;

/**
 * A dataset that is to be prepared.
 *
 * @param sources files of rows, read in this order
 * @param format of the rows
 * @param commands for rows that don't say how their tests run
 * @param root folder of the dataset; one that exists is replaced
 * @param limit most tasks; 0 is no limit
 * @param filter which rows become tasks
 * @param seed of splits and subsets
 * @param repositories folder of git repositories, {@code owner/name} or {@code owner__name}, whose
 *     files become part of the tasks; null when tasks come with images
 * @param origin where the rows were published: repository, split and revision; may be empty
 */
public record PreparationRequest(
        List<Path> sources,
        RowFormat format,
        TestCommands commands,
        Path root,
        int limit,
        RowFilter filter,
        long seed,
        Path repositories,
        Origin origin) {

    /** Where rows were published. */
    public record Origin(String repository, String split, String revision) {}
}
