package dev.millrace.jobs.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The file {@code events.jsonl}: one JSON object a line, {@code time}, {@code event}, {@code id}
 * and what belongs to it. An id is written once, also over several starts of a run. Numbers that
 * are not finite are left out: JSON has none. Thread-safe.
 */
public final class EventLog implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<String> written = new HashSet<>();
    private final Writer writer;

    private EventLog(Writer writer) {
        this.writer = writer;
    }

    /**
     * Opens the log for appending; what is in it already counts as written.
     *
     * @throws IOException when it can't be read or opened
     */
    public static EventLog open(Path file) throws IOException {
        Set<String> known = new HashSet<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                id(line).ifPresent(known::add);
            }
        }
        Writer writer =
                Files.newBufferedWriter(
                        file,
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
        if (Files.size(file) > 0 && !endsWithNewline(file)) {
            writer.write('\n');
        }
        EventLog log = new EventLog(writer);
        log.written.addAll(known);
        return log;
    }

    /**
     * Writes an event, unless its id was written before.
     *
     * @param id names the event in its run
     * @param event kind, for instance {@code publication}
     * @param values what belongs to it; {@link Double}s that are not finite are left out
     * @throws UncheckedIOException when the disk refuses
     */
    public synchronized void write(long millis, String event, String id, Map<String, ?> values) {
        if (!written.add(id)) {
            return;
        }
        ObjectNode line = JSON.createObjectNode();
        line.put("time", Instant.ofEpochMilli(millis).toString());
        line.put("event", event);
        line.put("id", id);
        values.forEach(
                (name, value) -> {
                    if (!(value instanceof Double number) || Double.isFinite(number)) {
                        line.set(name, JSON.valueToTree(value));
                    }
                });
        try {
            writer.write(line.toString());
            writer.write('\n');
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Can't write to the event log", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        writer.close();
    }

    private static boolean endsWithNewline(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(bytes.length() - 1);
            return bytes.read() == '\n';
        }
    }

    /** The id in a line; none when a kill cut the line off, its event is then written again. */
    private static Optional<String> id(String line) {
        try {
            JsonNode id = JSON.readTree(line).get("id");
            return id == null ? Optional.empty() : Optional.of(id.asText());
        } catch (JsonProcessingException cutOff) {
            return Optional.empty();
        }
    }
}
