package dev.millrace.bench.sim;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The token language of the simulated policy. A turn says whose it is, so that a sequence of tokens
 * tells which attempt it came from wherever it turns up:
 *
 * <pre>
 * prompt   BOS TASK+n
 * turn     ATTEMPT k k k k TURN+u KIND filler... EOS
 * observed OBSERVED filler...
 * </pre>
 */
public final class SimTokens {
    static final int BOS = 1;
    static final int EOS = 2;
    static final int ATTEMPT = 3;
    static final int OBSERVED = 9;
    private static final int FILLER = 100;
    private static final int FILLERS = 1000;
    private static final int TURN = 10_000;
    private static final int TASK = 100_000;
    private static final int KEY = 1_000_000;
    private static final int HEAD = 7;

    private SimTokens() {}

    /** What the policy reads first. */
    public static int[] prompt(int task) {
        return new int[] {BOS, TASK + task};
    }

    /** A whole turn of at least so many tokens. */
    static int[] turn(long attempt, int turn, Workload.Kind kind, int count) {
        int[] tokens = new int[Math.max(HEAD + 1, count)];
        tokens[0] = ATTEMPT;
        for (int i = 0; i < 4; i++) {
            tokens[1 + i] = KEY + (int) ((attempt >>> (16 * i)) & 0xffff);
        }
        tokens[5] = TURN + turn;
        tokens[6] = kind.token;
        fill(tokens, HEAD, attempt + turn);
        tokens[tokens.length - 1] = EOS;
        return tokens;
    }

    /** What a command printed. */
    public static int[] observed(String text, int count) {
        int[] tokens = new int[1 + Math.max(0, count)];
        tokens[0] = OBSERVED;
        fill(tokens, 1, text.hashCode());
        return tokens;
    }

    /** The attempt that sampled the first turn in these tokens. */
    public static OptionalLong attempt(int[] tokens) {
        for (int i = 0; i + HEAD <= tokens.length; i++) {
            if (tokens[i] == ATTEMPT) {
                long key = 0;
                for (int k = 3; k >= 0; k--) {
                    key = (key << 16) | (tokens[i + 1 + k] - KEY);
                }
                return OptionalLong.of(key);
            }
        }
        return OptionalLong.empty();
    }

    /** The task that these tokens begin with, -1 when there is none. */
    public static int task(int[] tokens) {
        return tokens.length > 1 && tokens[0] == BOS ? tokens[1] - TASK : -1;
    }

    /** The number of a turn. */
    public static int turnOf(int[] turn) {
        return turn[5] - TURN;
    }

    /** What a turn wants; one that was cut off before it said so is malformed. */
    public static boolean isFinal(int[] turn) {
        return kind(turn) == Workload.Kind.FINAL;
    }

    /** Whether a turn runs a command. */
    public static boolean isCommand(int[] turn) {
        return kind(turn) == Workload.Kind.COMMAND;
    }

    /** An attempt's name in logs. */
    public static String name(long attempt) {
        return String.format(java.util.Locale.ROOT, "%016x", attempt);
    }

    private static Workload.Kind kind(int[] turn) {
        return turn.length < HEAD || turn[0] != ATTEMPT
                ? Workload.Kind.MALFORMED
                : Workload.Kind.of(turn[6]);
    }

    private static void fill(int[] tokens, int from, long seed) {
        Arrays.setAll(
                tokens,
                i -> i < from ? tokens[i] : FILLER + (int) Math.floorMod(seed + i, (long) FILLERS));
    }
}
