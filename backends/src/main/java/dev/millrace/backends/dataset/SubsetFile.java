package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A subset that was read.
 *
 * @param rows that can be read, in their order
 * @param rejected lines that can't
 * @param sha256 of the whole file, lower-case hex: its identity
 */
public record SubsetFile(List<SubsetRow> rows, List<RejectedRow> rejected, String sha256) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads a file of converted rows; blank lines are none. */
    public static SubsetFile read(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        List<SubsetRow> rows = new ArrayList<>();
        List<RejectedRow> rejected = new ArrayList<>();
        long number = 0;
        for (String line : (Iterable<String>) text(content).lines()::iterator) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                rows.add(row(number, line));
            } catch (JsonProcessingException e) {
                String reason = "no JSON: " + e.getOriginalMessage();
                rejected.add(new RejectedRow(file.toString(), number, reason));
            } catch (RowException e) {
                rejected.add(new RejectedRow(file.toString(), number, e.getMessage()));
            }
        }
        return new SubsetFile(List.copyOf(rows), List.copyOf(rejected), Digests.sha256(content));
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }

    private static SubsetRow row(long number, String line)
            throws JsonProcessingException, RowException {
        JsonNode row = JSON.readTree(line);
        JsonNode metadata = row.path("metadata");
        if (!metadata.isObject()) {
            throw new RowException("'metadata' is missing");
        }
        String id = RowFields.text(metadata, "instance_id");
        if (!metadata.has("instance_id")) {
            id = RowFields.text(row, "label");
        }
        JsonNode source = metadata.path("source");
        String bucket = RowFields.text(source, "language_bucket");
        String category = bucket.isEmpty() ? RowFields.text(source, "language") : bucket;
        return new SubsetRow(number, id, RowFields.text(metadata, "task_path"), category, line);
    }
}
