package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a service was asked and did: JSON Lines, only ever appended to. Each line has {@code at},
 * milliseconds since 1970, and {@code op}. A line that a dying process left half written is not
 * read. Thread-safe.
 */
public final class ServiceLog implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final FileChannel file;

    private ServiceLog(FileChannel file) {
        this.file = file;
    }

    /** Opens a log to append to; a half-written last line is cut off. */
    static ServiceLog open(Path path) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        file.truncate(wholeLines(Files.readAllBytes(path)));
        file.position(file.size());
        return new ServiceLog(file);
    }

    /** All lines of a log, in order. */
    public static List<JsonNode> read(Path path) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        byte[] content = Files.readAllBytes(path);
        String whole = new String(content, 0, wholeLines(content), StandardCharsets.UTF_8);
        List<JsonNode> lines = new ArrayList<>();
        for (String line : whole.lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    /** A new line. */
    static ObjectNode line(String op) {
        return JSON.createObjectNode().put("at", System.currentTimeMillis()).put("op", op);
    }

    synchronized void append(ObjectNode line) {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The service's log can't be written", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }

    private static int wholeLines(byte[] content) {
        int end = content.length;
        while (end > 0 && content[end - 1] != '\n') {
            end--;
        }
        return end;
    }
}
