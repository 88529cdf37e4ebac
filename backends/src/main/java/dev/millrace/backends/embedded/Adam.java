package dev.millrace.backends.embedded;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.OptimResult;

/**
 * Adam (Kingma and Ba 2015) with decoupled weight decay and a bound on the gradient's norm.
 *
 * @param first decayed mean of the gradients
 * @param second decayed mean of their squares
 * @param steps updates made so far
 */
record Adam(Weights first, Weights second, long steps) {
    static Adam fresh(ModelShape shape) {
        return new Adam(Weights.zeros(shape), Weights.zeros(shape), 0);
    }

    /** Euclidean norm over all weights. */
    static double norm(Weights gradient) {
        double squares = 0;
        for (float[] part : gradient.values()) {
            for (float value : part) {
                squares += (double) value * value;
            }
        }
        return Math.sqrt(squares);
    }

    /**
     * Updates weights and moments in place and returns the state after it; a gradient that is not
     * finite changes nothing.
     */
    Adam update(Weights weights, Weights gradient, AdamSpec spec) {
        double norm = norm(gradient);
        if (!Double.isFinite(norm)) {
            return this;
        }
        double bound = spec.maxGradientNorm();
        float scale = bound > 0 && norm > bound ? (float) (bound / norm) : 1f;
        long step = steps + 1;
        double rate = spec.learningRate() / (1 - Math.pow(spec.beta1(), (double) step));
        double correction = Math.sqrt(1 - Math.pow(spec.beta2(), (double) step));
        for (int i = 0; i < weights.values().length; i++) {
            updateMatrix(i, weights, gradient, spec, scale, (float) rate, (float) correction);
        }
        return new Adam(first, second, step);
    }

    /** What an update with this gradient would report. */
    static OptimResult report(Weights gradient) {
        double norm = norm(gradient);
        return new OptimResult(norm, !Double.isFinite(norm));
    }

    private void updateMatrix(
            int index,
            Weights weights,
            Weights gradient,
            AdamSpec spec,
            float scale,
            float rate,
            float correction) {
        float[] w = weights.get(index);
        float[] g = gradient.get(index);
        float[] m = first.get(index);
        float[] v = second.get(index);
        float beta1 = (float) spec.beta1();
        float beta2 = (float) spec.beta2();
        float epsilon = (float) spec.epsilon();
        float decay = (float) (spec.learningRate() * spec.weightDecay());
        for (int j = 0; j < w.length; j++) {
            float slope = g[j] * scale;
            m[j] = beta1 * m[j] + (1 - beta1) * slope;
            v[j] = beta2 * v[j] + (1 - beta2) * slope * slope;
            float root = (float) Math.sqrt(v[j]) / correction + epsilon;
            w[j] -= rate * m[j] / root + decay * w[j];
        }
    }
}
