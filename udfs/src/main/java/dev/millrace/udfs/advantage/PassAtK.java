package dev.millrace.udfs.advantage;

/** How likely it is that one of k attempts solves a task. */
public final class PassAtK {
    private PassAtK() {}

    /**
     * The unbiased estimate {@code 1 - C(n - c, k) / C(n, k)}.
     *
     * @param attempts n, how many were made
     * @param solved c, how many of them solved the task
     * @param k how many one would make, at most n
     * @throws IllegalArgumentException when the numbers contradict each other
     */
    public static double estimate(int attempts, int solved, int k) {
        if (solved < 0 || solved > attempts || k < 1 || k > attempts) {
            throw new IllegalArgumentException(
                    "pass@k needs 0 <= solved <= attempts and 1 <= k <= attempts, got solved "
                            + solved
                            + ", attempts "
                            + attempts
                            + ", k "
                            + k);
        }
        if (attempts - solved < k) {
            return 1;
        }
        double noneSolved = 1;
        for (int i = attempts - solved + 1; i <= attempts; i++) {
            noneSolved *= 1 - (double) k / i;
        }
        return 1 - noneSolved;
    }
}
