package dev.millrace.backends.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;

/** Parquet, one row group in memory at a time. */
final class ParquetRows implements RowFile {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Path file;
    private final ParquetReader<GenericRecord> reader;
    private long row;

    ParquetRows(Path file) throws IOException {
        this.file = file;
        try {
            ParquetConfiguration plainLists = new PlainParquetConfiguration();
            plainLists.setBoolean(AvroSchemaConverter.ADD_LIST_ELEMENT_RECORDS, false);
            this.reader =
                    AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file))
                            .withConf(plainLists)
                            .build();
        } catch (RuntimeException e) {
            throw new UnreadableFileException(file + " is no Parquet file: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<SourceRow> next() throws IOException {
        GenericRecord record;
        try {
            record = reader.read();
        } catch (RuntimeException e) {
            throw new UnreadableFileException(
                    file + " is no Parquet file or damaged behind row " + row + reason(e), e);
        }
        if (record == null) {
            return Optional.empty();
        }
        row++;
        return Optional.of(new SourceRow(file, row, node(record), ""));
    }

    private static String reason(RuntimeException e) {
        return e.getMessage() == null ? "" : ": " + e.getMessage();
    }

    private static JsonNode node(Object value) {
        if (value == null) {
            return NODES.nullNode();
        }
        if (value instanceof GenericRecord record) {
            ObjectNode node = NODES.objectNode();
            for (Schema.Field field : record.getSchema().getFields()) {
                node.set(field.name(), node(record.get(field.pos())));
            }
            return node;
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode node = NODES.objectNode();
            map.forEach((key, inner) -> node.set(key.toString(), node(inner)));
            return node;
        }
        if (value instanceof Collection<?> list) {
            ArrayNode node = NODES.arrayNode();
            list.forEach(inner -> node.add(node(inner)));
            return node;
        }
        return scalar(value);
    }

    private static JsonNode scalar(Object value) {
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Integer || value instanceof Long) {
            return NODES.numberNode(((Number) value).longValue());
        }
        if (value instanceof Number number) {
            return NODES.numberNode(number.doubleValue());
        }
        if (value instanceof ByteBuffer bytes) {
            return NODES.textNode(StandardCharsets.UTF_8.decode(bytes.duplicate()).toString());
        }
        return NODES.textNode(value.toString());
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
