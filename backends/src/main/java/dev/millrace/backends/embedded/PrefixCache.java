package dev.millrace.backends.embedded;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * What was read lately, so that the next turn of an attempt, and the other attempts of its group,
 * read only what is new. A hit changes the time of an answer, never a bit of it.
 */
final class PrefixCache {
    private record Key(String uri, int length, long hash) {}

    private record Entry(int[] tokens, Inference inference) {}

    private final int capacity;
    private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    PrefixCache(int capacity) {
        this.capacity = capacity;
    }

    /** A copy of the longest that was read of these tokens, or null. */
    synchronized Inference find(String uri, int[] tokens) {
        long[] hashes = hashes(tokens);
        for (int length = tokens.length; length > 0; length--) {
            Entry entry = entries.get(new Key(uri, length, hashes[length]));
            if (entry != null && Arrays.equals(entry.tokens, 0, length, tokens, 0, length)) {
                return entry.inference.copy();
            }
        }
        return null;
    }

    /** Keeps a copy of what has read these tokens. */
    synchronized void keep(String uri, int[] tokens, Inference inference) {
        long hash = hashes(tokens)[tokens.length];
        Key key = new Key(uri, tokens.length, hash);
        if (entries.containsKey(key)) {
            return;
        }
        entries.put(key, new Entry(tokens.clone(), inference.copy()));
        if (entries.size() > capacity) {
            Iterator<Key> eldest = entries.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private static long[] hashes(int[] tokens) {
        long[] hashes = new long[tokens.length + 1];
        for (int i = 0; i < tokens.length; i++) {
            hashes[i + 1] = hashes[i] * 0x9E3779B97F4A7C15L + tokens[i] + 1;
        }
        return hashes;
    }
}
