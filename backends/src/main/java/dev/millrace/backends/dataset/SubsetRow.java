package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

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
        long line, String instanceId, String taskPath, String category, String text) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads a row.
     *
     * @param number its line, or whatever else numbers it
     * @throws RowException when it is none
     */
    public static SubsetRow parse(long number, String text) throws RowException {
        JsonNode row = json(text);
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
        return new SubsetRow(number, id, RowFields.text(metadata, "task_path"), category, text);
    }

    private static JsonNode json(String text) throws RowException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new RowException("no JSON: " + e.getOriginalMessage());
        }
    }
}
