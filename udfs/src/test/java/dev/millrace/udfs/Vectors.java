package dev.millrace.udfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;

/** Numbers that other systems gave for the same question. */
public final class Vectors {
    private static final JsonNode ALL = read();

    private Vectors() {}

    /** The vector of that name. */
    public static JsonNode get(String name) {
        return ALL.required(name);
    }

    /** An array of numbers. */
    public static double[] doubles(JsonNode array) {
        return IntStream.range(0, array.size()).mapToDouble(i -> array.get(i).asDouble()).toArray();
    }

    /** An array of whole numbers. */
    public static int[] ints(JsonNode array) {
        return IntStream.range(0, array.size()).map(i -> array.get(i).asInt()).toArray();
    }

    private static JsonNode read() {
        try (InputStream in = Vectors.class.getResourceAsStream("vectors.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
