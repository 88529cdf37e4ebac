package dev.millrace.backends.dataset;

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
                rows.add(SubsetRow.parse(number, line));
            } catch (RowException e) {
                rejected.add(new RejectedRow(file.toString(), number, e.getMessage()));
            }
        }
        return new SubsetFile(List.copyOf(rows), List.copyOf(rejected), Digests.sha256(content));
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }
}
