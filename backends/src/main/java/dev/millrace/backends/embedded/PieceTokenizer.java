package dev.millrace.backends.embedded;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text to token ids by greedy longest match, and back. Every text survives the round trip. */
final class PieceTokenizer {
    private static final Vocabulary VOCABULARY = Vocabulary.INSTANCE;

    private PieceTokenizer() {}

    /** Ids of a text in UTF-8. */
    static int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String latin = new String(bytes, StandardCharsets.ISO_8859_1);
        int[] ids = new int[3 * bytes.length];
        int count = 0;
        for (int at = 0; at < latin.length(); ) {
            int length = longestMatch(latin, at);
            if (length > 0) {
                ids[count++] = VOCABULARY.idOf(latin.substring(at, at + length));
                at += length;
            } else {
                int value = bytes[at++] & 0xff;
                ids[count++] = Vocabulary.BYTE;
                ids[count++] = Vocabulary.FIRST_HALF + (value >> 4);
                ids[count++] = Vocabulary.FIRST_HALF + (value & 15);
            }
        }
        return Arrays.copyOf(ids, count);
    }

    /** Text of ids; control tokens and halves that stand alone have none. */
    static String decode(int[] ids) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == Vocabulary.BYTE
                    && i + 2 < ids.length
                    && isHalf(ids[i + 1])
                    && isHalf(ids[i + 2])) {
                bytes.write(
                        (ids[i + 1] - Vocabulary.FIRST_HALF) * 16
                                + (ids[i + 2] - Vocabulary.FIRST_HALF));
                i += 2;
            } else {
                bytes.writeBytes(VOCABULARY.textOf(ids[i]).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int longestMatch(String text, int at) {
        for (int length = Math.min(VOCABULARY.longest(), text.length() - at);
                length > 0;
                length--) {
            if (VOCABULARY.idOf(text.substring(at, at + length)) >= 0) {
                return length;
            }
        }
        return 0;
    }

    private static boolean isHalf(int id) {
        return id >= Vocabulary.FIRST_HALF && id < Vocabulary.FIRST_HALF + 16;
    }
}
