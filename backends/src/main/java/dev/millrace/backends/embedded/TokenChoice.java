package dev.millrace.backends.embedded;

/** Chooses a token from scores. */
final class TokenChoice {
    private TokenChoice() {}

    /**
     * The token at a point of the distribution.
     *
     * @param temperature 0 takes the likeliest token, the first of equals
     * @param point where to look, at least 0 and below 1
     */
    static int choose(float[] logits, double temperature, double point) {
        int likeliest = 0;
        for (int i = 1; i < logits.length; i++) {
            if (logits[i] > logits[likeliest]) {
                likeliest = i;
            }
        }
        if (temperature == 0) {
            return likeliest;
        }
        double[] cumulative = new double[logits.length];
        double sum = 0;
        for (int i = 0; i < logits.length; i++) {
            sum += Math.exp((logits[i] - logits[likeliest]) / temperature);
            cumulative[i] = sum;
        }
        for (int i = 0; i < logits.length; i++) {
            if (point * sum < cumulative[i]) {
                return i;
            }
        }
        return likeliest;
    }

    /** Log-probability of a token at temperature 1, base e. */
    static float logprob(float[] logits, int token) {
        return (float) (logits[token] - Kernels.logSumExp(logits));
    }
}
