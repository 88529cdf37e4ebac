package dev.millrace.udfs.seed;

import java.util.Comparator;

/**
 * Texts in the order of their Unicode code points, as Python sorts them. Java's own order is that
 * of UTF-16, which puts what lies beyond the Basic Multilingual Plane before its last characters.
 */
public enum CodePointOrder implements Comparator<String> {
    /** The only one. */
    INSTANCE;

    private static final int AFTER_SURROGATES = 0xe000;
    private static final int SURROGATES = 0x800;
    private static final int BEYOND = 0x2000;

    @Override
    public int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                return Integer.compare(rank(a), rank(b));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /** Surrogates stand for larger code points than any other unit does. */
    private static int rank(char unit) {
        if (unit >= AFTER_SURROGATES) {
            return unit - SURROGATES;
        }
        return unit >= Character.MIN_SURROGATE ? unit + BEYOND : unit;
    }
}
