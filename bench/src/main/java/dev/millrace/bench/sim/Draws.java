package dev.millrace.bench.sim;

import dev.millrace.udfs.seed.Seeds;
import java.util.SplittableRandom;

/** Random draws that depend on a seed and on names, never on what was drawn before. */
final class Draws {
    private Draws() {}

    /** A generator for what the parts name together. */
    static SplittableRandom of(long seed, Object... parts) {
        StringBuilder name = new StringBuilder();
        for (Object part : parts) {
            name.append(part).append('|');
        }
        return new SplittableRandom(Seeds.ofGroup(seed, name.toString()));
    }

    /** Lognormal with this median. */
    static double logNormal(SplittableRandom random, double median, double sigma) {
        return median * Math.exp(sigma * random.nextGaussian());
    }

    /** Beta by Jöhnk's method (1964); meant for small parameters. */
    static double beta(SplittableRandom random, double a, double b) {
        while (true) {
            double x = Math.pow(random.nextDouble(), 1 / a);
            double y = Math.pow(random.nextDouble(), 1 / b);
            if (x + y > 0 && x + y <= 1) {
                return x / (x + y);
            }
        }
    }
}
