package dev.millrace.backends.embedded;

/**
 * Arithmetic on rows of floats. Sums over inputs run in one fixed order, whatever the number of
 * rows, so a row's result is the same bits in any company.
 */
final class Kernels {
    private static final float NORM_EPSILON = 1e-5f;

    private Kernels() {}

    /**
     * Adds {@code x w} to {@code y}.
     *
     * @param x rows x in
     * @param w in x out
     * @param y rows x out
     */
    static void addProduct(float[] x, int rows, int in, float[] w, int out, float[] y) {
        int i = 0;
        for (; i + 4 <= in; i += 4) {
            for (int r = 0; r < rows; r++) {
                int at = r * in + i;
                addFour(x[at], x[at + 1], x[at + 2], x[at + 3], w, i * out, out, y, r * out);
            }
        }
        for (; i < in; i++) {
            for (int r = 0; r < rows; r++) {
                addScaled(x[r * in + i], w, i * out, out, y, r * out);
            }
        }
    }

    private static void addFour(
            float a, float b, float c, float d, float[] w, int from, int n, float[] y, int to) {
        if (a == 0 && b == 0 && c == 0 && d == 0) {
            return;
        }
        int second = from + n;
        int third = second + n;
        int fourth = third + n;
        for (int j = 0; j < n; j++) {
            y[to + j] =
                    y[to + j]
                            + a * w[from + j]
                            + b * w[second + j]
                            + c * w[third + j]
                            + d * w[fourth + j];
        }
    }

    /** Adds {@code factor * w[from ..]} to {@code y[to ..]}. */
    static void addScaled(float factor, float[] w, int from, int n, float[] y, int to) {
        for (int j = 0; j < n; j++) {
            y[to + j] += factor * w[from + j];
        }
    }

    /** Sets every row of {@code y} to {@code bias}. */
    static void setRows(float[] bias, int rows, float[] y) {
        for (int r = 0; r < rows; r++) {
            System.arraycopy(bias, 0, y, r * bias.length, bias.length);
        }
    }

    /** Layer normalisation (Ba et al. 2016) of each row. */
    static void normalize(float[] x, int rows, int n, float[] gain, float[] bias, float[] y) {
        for (int r = 0; r < rows; r++) {
            int at = r * n;
            float sum = 0;
            for (int j = 0; j < n; j++) {
                sum += x[at + j];
            }
            float mean = sum / n;
            float squares = 0;
            for (int j = 0; j < n; j++) {
                float off = x[at + j] - mean;
                squares += off * off;
            }
            float scale = (float) (1 / Math.sqrt(squares / n + NORM_EPSILON));
            for (int j = 0; j < n; j++) {
                y[at + j] = (x[at + j] - mean) * scale * gain[j] + bias[j];
            }
        }
    }

    /** Replaces what is negative by 0. */
    static void rectify(float[] x, int n) {
        for (int j = 0; j < n; j++) {
            x[j] = Math.max(0f, x[j]);
        }
    }

    /** Turns scores into weights that sum to 1. */
    static void softmax(float[] scores, int n) {
        float highest = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < n; j++) {
            highest = Math.max(highest, scores[j]);
        }
        float sum = 0;
        for (int j = 0; j < n; j++) {
            scores[j] = (float) Math.exp(scores[j] - highest);
            sum += scores[j];
        }
        float share = 1 / sum;
        for (int j = 0; j < n; j++) {
            scores[j] *= share;
        }
    }

    /** Logarithm of the sum of exponentials. */
    static double logSumExp(float[] x) {
        float highest = Float.NEGATIVE_INFINITY;
        for (float value : x) {
            highest = Math.max(highest, value);
        }
        double sum = 0;
        for (float value : x) {
            sum += Math.exp(value - highest);
        }
        return highest + Math.log(sum);
    }

    /** Columns become rows. */
    static float[] transpose(float[] x, int rows, int columns) {
        float[] y = new float[x.length];
        for (int r = 0; r < rows; r++) {
            for (int c = 0; c < columns; c++) {
                y[c * rows + r] = x[r * columns + c];
            }
        }
        return y;
    }
}
