package dev.millrace.backends.dataset;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The rows of one file, one after the other. */
interface RowFile extends Closeable {
    /** The next row; nothing at the end. */
    Optional<SourceRow> next() throws IOException;

    /** Opens a file: Parquet by its name, anything else is JSON Lines. */
    static RowFile open(Path file) throws IOException {
        return file.getFileName().toString().endsWith(".parquet")
                ? new ParquetRows(file)
                : new JsonRows(file);
    }
}
