package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** JSON Lines; blank lines are no rows. */
final class JsonRows implements RowFile {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Where the parser thinks that something began: in a line of its own it says nothing. */
    private static final Pattern START = Pattern.compile(" \\(start marker at .*", Pattern.DOTALL);

    private final Path file;
    private final BufferedReader reader;
    private long line;

    JsonRows(Path file) throws IOException {
        this.file = file;
        // Bytes that are no UTF-8 are replaced: a row must not stop all others.
        this.reader =
                new BufferedReader(
                        new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8),
                        1 << 16);
    }

    @Override
    public Optional<SourceRow> next() throws IOException {
        while (true) {
            String text = reader.readLine();
            if (text == null) {
                return Optional.empty();
            }
            line++;
            if (!text.isBlank()) {
                return Optional.of(row(text));
            }
        }
    }

    private SourceRow row(String text) {
        try {
            return new SourceRow(file, line, JSON.readTree(text), "");
        } catch (JsonProcessingException e) {
            String why = START.matcher(e.getOriginalMessage()).replaceFirst("");
            return new SourceRow(file, line, null, "no JSON: " + why);
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
