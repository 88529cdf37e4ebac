package dev.millrace.backends.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The token ids: control tokens, halves of bytes, common pieces of shell and Python text, printable
 * ASCII. The pieces lie in {@code pieces.txt}, one a line, {@code \n} for a line feed; none is a
 * whole command.
 */
final class Vocabulary {
    /** Fills up short sequences; never seen by the policy. */
    static final int PAD = 0;

    /** First token of every sequence. */
    static final int BEGIN = 1;

    /** Ends a turn. */
    static final int END_OF_TURN = 2;

    /** An observation follows. */
    static final int OBSERVATION = 3;

    /** The observation was longer. */
    static final int TRUNCATED = 4;

    /** Two halves of a byte follow. */
    static final int BYTE = 5;

    /** The policy speaks next; one token for each turn of an attempt. */
    static final int FIRST_TURN = 6;

    /** Turns that have a token of their own. */
    static final int TURNS = 4;

    /** Half a byte of value 0; the other fifteen follow. */
    static final int FIRST_HALF = FIRST_TURN + TURNS;

    private static final int FIRST_PIECE = FIRST_HALF + 16;

    /** The only instance: what a token id means never changes. */
    static final Vocabulary INSTANCE = new Vocabulary();

    private final List<String> pieces = new ArrayList<>();
    private final Map<String, Integer> ids = new HashMap<>();
    private final int longest;

    private Vocabulary() {
        for (String line : readLines()) {
            add(line.replace("\\n", "\n"));
        }
        for (char c = ' '; c < 127; c++) {
            add(String.valueOf(c));
        }
        longest = pieces.stream().mapToInt(String::length).max().orElseThrow();
    }

    /** Number of token ids. */
    int size() {
        return FIRST_PIECE + pieces.size();
    }

    /** The text pieces. */
    List<String> pieces() {
        return List.copyOf(pieces);
    }

    /** Most characters in a piece. */
    int longest() {
        return longest;
    }

    /** Id of a piece, or -1. */
    int idOf(String piece) {
        return ids.getOrDefault(piece, -1);
    }

    /** Text of a token, empty for control tokens and for ids that no token has. */
    String textOf(int id) {
        return id < FIRST_PIECE || id >= size() ? "" : pieces.get(id - FIRST_PIECE);
    }

    private void add(String piece) {
        if (!ids.containsKey(piece)) {
            ids.put(piece, FIRST_PIECE + pieces.size());
            pieces.add(piece);
        }
    }

    private static List<String> readLines() {
        try (InputStream in = Vocabulary.class.getResourceAsStream("pieces.txt");
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The vocabulary can't be read.", e);
        }
    }
}
