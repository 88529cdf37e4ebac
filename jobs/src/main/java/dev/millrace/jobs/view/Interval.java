package dev.millrace.jobs.view;

/**
 * A mean of rewards between 0 and 1, with the uncertainty that so many attempts leave.
 *
 * @param mean of the rewards
 * @param low lower end of the 95 % interval
 * @param high upper end of the 95 % interval
 * @param attempts how many rewards
 */
public record Interval(double mean, double low, double high, long attempts) {
    private static final double Z = 1.959964;

    /**
     * Wilson's score interval for a proportion (E. B. Wilson, 1927), with the sum of the rewards in
     * the place of the number of successes. It takes attempts for independent; several attempts of
     * one task are less than that, so the true interval is somewhat wider.
     *
     * @throws IllegalArgumentException when there are no attempts
     */
    public static Interval wilson(double sum, long attempts) {
        if (attempts <= 0) {
            throw new IllegalArgumentException("no attempts, no interval");
        }
        double mean = sum / attempts;
        double p = Math.max(0, Math.min(1, mean));
        double z2 = Z * Z / attempts;
        double centre = (p + z2 / 2) / (1 + z2);
        double half = Z / (1 + z2) * Math.sqrt(p * (1 - p) / attempts + z2 / (4 * attempts));
        return new Interval(mean, Math.max(0, centre - half), Math.min(1, centre + half), attempts);
    }
}
