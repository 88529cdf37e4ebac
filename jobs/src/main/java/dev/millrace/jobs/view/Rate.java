package dev.millrace.jobs.view;

/** How often something happened in the last half minute. */
final class Rate {
    private static final int SECONDS = 30;

    private final long[] second = new long[SECONDS];
    private final long[] count = new long[SECONDS];
    private long first = Long.MAX_VALUE;

    void add(long millis) {
        long at = millis / 1000;
        int slot = (int) (at % SECONDS);
        if (second[slot] != at) {
            second[slot] = at;
            count[slot] = 0;
        }
        count[slot]++;
        first = Math.min(first, at);
    }

    /** Per second, up to now; over less than half a minute when it began later than that. */
    double perSecond(long nowMillis) {
        long now = nowMillis / 1000;
        long sum = 0;
        for (int i = 0; i < SECONDS; i++) {
            if (second[i] > now - SECONDS && second[i] <= now) {
                sum += count[i];
            }
        }
        return sum == 0 ? 0 : (double) sum / Math.min(SECONDS, Math.max(1, now - first + 1));
    }
}
