package dev.millrace.udfs.dataset;

import java.util.List;

/** Rows for tests. */
final class Rows {
    private Rows() {}

    static DatasetRow of(
            String parser,
            String command,
            String image,
            List<String> failToPass,
            String testPatch,
            String workdir,
            RowQuality quality,
            String language) {
        return new DatasetRow(
                "org__name-1",
                "Org/name",
                "c0ffee",
                "",
                testPatch,
                "Repair it.",
                failToPass,
                List.of(),
                language,
                "",
                "",
                "",
                "",
                "",
                image,
                workdir,
                command,
                parser,
                "{}",
                quality);
    }
}
