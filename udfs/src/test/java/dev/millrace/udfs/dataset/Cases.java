package dev.millrace.udfs.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.Vectors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Splits of random rows that Python's own random module gave. */
final class Cases {
    private Cases() {}

    /** One of them. */
    record Case(long seed, List<RowKey> rows, List<String> heldOut, int[] drawn) {
        @Override
        public String toString() {
            return rows.size() + " rows";
        }
    }

    static Stream<Case> all() {
        try (InputStream in = Vectors.class.getResourceAsStream("dataset-splits.json")) {
            List<Case> cases = new ArrayList<>();
            new ObjectMapper().readTree(in).forEach(node -> cases.add(read(node)));
            return cases.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Case read(JsonNode node) {
        List<RowKey> rows =
                Arrays.stream(node.get("rows").asText().split(" "))
                        .map(row -> row.split(":"))
                        .map(parts -> new RowKey(parts[0], parts[1]))
                        .toList();
        return new Case(
                node.get("seed").asLong(),
                rows,
                texts(node.get("held_out")),
                Vectors.ints(node.get("drawn")));
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
