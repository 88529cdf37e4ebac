package dev.millrace.udfs.advantage;

/** Group-relative advantages, as GRPO defines them, in double precision. */
public final class GroupAdvantages {
    /** Added to the standard deviation, so that nearly equal rewards don't blow up. */
    static final double EPSILON = 1e-6;

    private GroupAdvantages() {}

    /**
     * The advantage of each attempt of one group: {@code (r - mean) / (std + 1e-6)}, std with one
     * degree of freedom taken off. All 0 for a single attempt and for equal rewards.
     *
     * @param rewards of the group's valid attempts only, finite
     * @param divideByStd false leaves the division out, as Dr. GRPO does
     * @return as long as {@code rewards}
     */
    public static double[] of(double[] rewards, boolean divideByStd) {
        double[] advantages = new double[rewards.length];
        if (rewards.length < 2 || allEqual(rewards)) {
            return advantages;
        }
        double mean = mean(rewards);
        double divisor = divideByStd ? standardDeviation(rewards) + EPSILON : 1;
        for (int i = 0; i < rewards.length; i++) {
            advantages[i] = (rewards[i] - mean) / divisor;
        }
        return advantages;
    }

    /** Mean; 0 of nothing. */
    public static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }

    /** Standard deviation with one degree of freedom taken off; 0 of fewer than two values. */
    public static double standardDeviation(double[] values) {
        if (values.length < 2) {
            return 0;
        }
        double mean = mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / (values.length - 1));
    }

    private static boolean allEqual(double[] values) {
        for (double value : values) {
            if (value != values[0]) {
                return false;
            }
        }
        return true;
    }
}
