package dev.millrace.pipeline.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;

/** Reads a ledger that lies on this machine. Files that are still being written are passed over. */
public final class LedgerReader {
    static final String SUFFIX = ".parquet";

    private final Path folder;

    /**
     * A reader of a ledger.
     *
     * @param folder that has a folder for each table
     */
    public LedgerReader(Path folder) {
        this.folder = folder;
    }

    /**
     * Hands on every row of a table, in no certain order. A table that was never written is empty.
     *
     * @throws IOException when a file can't be read
     */
    public void forEach(LedgerTable table, Consumer<GenericRecord> rows) throws IOException {
        for (Path file : files(table)) {
            try (ParquetReader<GenericRecord> reader =
                    AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file))
                            .withDataModel(GenericData.get())
                            .build()) {
                for (GenericRecord row = reader.read(); row != null; row = reader.read()) {
                    rows.accept(row);
                }
            }
        }
    }

    /**
     * All rows of a table in the order of their topic.
     *
     * @throws IOException when a file can't be read
     */
    public List<GenericRecord> rows(LedgerTable table) throws IOException {
        List<GenericRecord> rows = new ArrayList<>();
        forEach(table, rows::add);
        rows.sort(
                Comparator.<GenericRecord>comparingInt(row -> (int) row.get("topic_partition"))
                        .thenComparingLong(row -> (long) row.get("topic_offset")));
        return rows;
    }

    private List<Path> files(LedgerTable table) throws IOException {
        Path tableFolder = folder.resolve(table.folder());
        if (!Files.isDirectory(tableFolder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(tableFolder)) {
            return files.filter(LedgerReader::isComplete).sorted().toList();
        }
    }

    /** Flink hides what it is still writing behind a dot. */
    private static boolean isComplete(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && name.endsWith(SUFFIX);
    }
}
