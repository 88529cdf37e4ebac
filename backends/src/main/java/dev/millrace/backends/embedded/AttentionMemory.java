package dev.millrace.backends.embedded;

import java.util.Arrays;

/**
 * Keys and values that one attention layer has seen. Keys lie column by column, so that scores of
 * all tokens are computed side by side.
 */
final class AttentionMemory {
    private final int keyWidth;
    private final int valueWidth;
    private int capacity;
    private float[] keys;
    private float[] values;

    AttentionMemory(int keyWidth, int valueWidth, int capacity) {
        this.keyWidth = keyWidth;
        this.valueWidth = valueWidth;
        this.capacity = capacity;
        keys = new float[keyWidth * capacity];
        values = new float[valueWidth * capacity];
    }

    private AttentionMemory(AttentionMemory other) {
        keyWidth = other.keyWidth;
        valueWidth = other.valueWidth;
        capacity = other.capacity;
        keys = other.keys.clone();
        values = other.values.clone();
    }

    AttentionMemory copy() {
        return new AttentionMemory(this);
    }

    /** Stores the key of a token and, if values are kept, its value. */
    void put(int token, float[] key, int keyAt, float[] value, int valueAt) {
        if (token == capacity) {
            grow();
        }
        for (int d = 0; d < keyWidth; d++) {
            keys[d * capacity + token] = key[keyAt + d];
        }
        if (valueWidth > 0) {
            System.arraycopy(value, valueAt, values, token * valueWidth, valueWidth);
        }
    }

    /** Adds the products of a query with the keys of the first {@code count} tokens to scores. */
    void addScores(
            float[] query, int queryAt, int firstColumn, int columns, int count, float[] scores) {
        for (int d = 0; d < columns; d++) {
            Kernels.addScaled(
                    query[queryAt + d], keys, (firstColumn + d) * capacity, count, scores, 0);
        }
    }

    /** Adds the weighted values of the first {@code count} tokens. */
    void addValues(float[] weights, int firstColumn, int columns, int count, float[] y, int to) {
        for (int token = 0; token < count; token++) {
            Kernels.addScaled(
                    weights[token], values, token * valueWidth + firstColumn, columns, y, to);
        }
    }

    private void grow() {
        int larger = 2 * capacity;
        float[] moved = new float[keyWidth * larger];
        for (int d = 0; d < keyWidth; d++) {
            System.arraycopy(keys, d * capacity, moved, d * larger, capacity);
        }
        keys = moved;
        values = Arrays.copyOf(values, valueWidth * larger);
        capacity = larger;
    }
}
