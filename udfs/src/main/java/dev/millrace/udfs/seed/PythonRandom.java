package dev.millrace.udfs.seed;

/**
 * The Mersenne Twister MT19937, seeded and read as Python's {@code random.Random} does, so that an
 * order of tasks can be compared with other systems, number for number.
 *
 * <p>Source: M. Matsumoto and T. Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); seeding by
 * array as in their revision of 2002.
 */
public final class PythonRandom {
    private static final int SIZE = 624;
    private static final int PERIOD = 397;

    private final int[] state = new int[SIZE];
    private int next = SIZE;

    /** Seeds as {@code Random(seed)} does; the sign is ignored, as there. */
    public PythonRandom(long seed) {
        long magnitude = Math.abs(seed);
        int low = (int) magnitude;
        int high = (int) (magnitude >>> 32);
        seedByArray(high == 0 ? new int[] {low} : new int[] {low, high});
    }

    /** Uniform in [0, 1), with 53 bits. */
    public double random() {
        long high = bits(27);
        long low = bits(26);
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }

    /** The numbers 0 to n - 1 in the order {@code shuffle(list(range(n)))} leaves them in. */
    public int[] permutation(int n) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        for (int i = n - 1; i > 0; i--) {
            int j = below(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }

    private int below(int bound) {
        int width = 32 - Integer.numberOfLeadingZeros(bound);
        long drawn = bits(width);
        while (drawn >= bound) {
            drawn = bits(width);
        }
        return (int) drawn;
    }

    private long bits(int width) {
        return (word() & 0xffffffffL) >>> (32 - width);
    }

    private void seedByNumber(int seed) {
        state[0] = seed;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    private void seedByArray(int[] key) {
        seedByNumber(19650218);
        int i = 1;
        for (int k = 0; k < SIZE; k++) {
            int j = k % key.length;
            state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1664525)) + key[j] + j;
            i = following(i);
        }
        for (int k = 0; k < SIZE - 1; k++) {
            state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1566083941)) - i;
            i = following(i);
        }
        state[0] = 0x80000000;
    }

    private int following(int i) {
        if (i + 1 < SIZE) {
            return i + 1;
        }
        state[0] = state[SIZE - 1];
        return 1;
    }

    private int word() {
        if (next == SIZE) {
            twist();
        }
        int y = state[next++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    private void twist() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
            int mixed = state[(i + PERIOD) % SIZE] ^ (y >>> 1);
            state[i] = (y & 1) == 0 ? mixed : mixed ^ 0x9908b0df;
        }
        next = 0;
    }
}
