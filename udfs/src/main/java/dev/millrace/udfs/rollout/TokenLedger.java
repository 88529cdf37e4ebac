package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.Spoken;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The tokens of an attempt, in one sequence: what the policy sampled carries mask 1 and the
 * log-probability it was sampled with, all else carries 0. It only grows, but for turns that are
 * taken out whole.
 */
final class TokenLedger {
    private int[] tokens = new int[256];
    private byte[] mask = new byte[256];
    private float[] logprobs = new float[256];
    private int length;
    private int generated;

    /** Appends what the policy did not say. */
    void appendGiven(int[] given) {
        grow(given.length);
        System.arraycopy(given, 0, tokens, length, given.length);
        length += given.length;
    }

    /**
     * Appends what the policy said.
     *
     * @throws IllegalArgumentException when a token has no finite log-probability
     */
    void appendSampled(Sampled turn) {
        int n = turn.tokens().length;
        if (turn.logprobs().length != n) {
            throw new IllegalArgumentException(
                    "expected a log-probability for each of "
                            + n
                            + " tokens, got "
                            + turn.logprobs().length);
        }
        grow(n);
        for (int i = 0; i < n; i++) {
            if (!Float.isFinite(turn.logprobs()[i])) {
                throw new IllegalArgumentException(
                        "log-probability of token " + i + " is not finite");
            }
            tokens[length + i] = turn.tokens()[i];
            logprobs[length + i] = turn.logprobs()[i];
            mask[length + i] = 1;
        }
        length += n;
        generated += n;
    }

    /**
     * Takes the last tokens out again, whoever said them.
     *
     * @throws IllegalArgumentException when there are not that many
     */
    void takeBack(int count) {
        if (count < 0 || count > length) {
            throw new IllegalArgumentException(
                    "can't take " + count + " of " + length + " tokens back");
        }
        for (int i = length - count; i < length; i++) {
            generated -= mask[i];
            mask[i] = 0;
            logprobs[i] = 0;
        }
        length -= count;
    }

    int length() {
        return length;
    }

    int generated() {
        return generated;
    }

    int[] tokens() {
        return Arrays.copyOf(tokens, length);
    }

    /** Length without the given tokens at the end, which no loss can count. */
    int trimmedLength() {
        int n = length;
        while (n > 0 && mask[n - 1] == 0) {
            n--;
        }
        return n;
    }

    int[] tokens(int n) {
        return Arrays.copyOf(tokens, n);
    }

    byte[] mask(int n) {
        return Arrays.copyOf(mask, n);
    }

    float[] logprobs(int n) {
        return Arrays.copyOf(logprobs, n);
    }

    /** What the policy said, in short. */
    Spoken spoken() {
        ByteBuffer ids = ByteBuffer.allocate(Integer.BYTES * generated);
        double logprob = 0;
        for (int i = 0; i < length; i++) {
            if (mask[i] != 0) {
                ids.putInt(tokens[i]);
                logprob += logprobs[i];
            }
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(ids.array());
            return new Spoken(HexFormat.of().formatHex(digest), logprob);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private void grow(int by) {
        if (length + by > tokens.length) {
            int capacity = Math.max(length + by, 2 * tokens.length);
            tokens = Arrays.copyOf(tokens, capacity);
            mask = Arrays.copyOf(mask, capacity);
            logprobs = Arrays.copyOf(logprobs, capacity);
        }
    }
}
