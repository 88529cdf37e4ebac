package dev.millrace.backends.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;

/**
 * A row of a file, read as far as its file format goes.
 *
 * @param file it is from
 * @param line of the file, or row of a Parquet file; the first is 1
 * @param content what it says; null when it can't be read
 * @param problem why it can't be read; empty when it can
 */
public record SourceRow(Path file, long line, JsonNode content, String problem) {}
