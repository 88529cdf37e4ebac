package dev.millrace.backends.fake.tinker;

import java.util.SplittableRandom;

/**
 * A policy that only looks at the last token: a table of logits, base plus adapter, whose gradients
 * can be written down. Trained by AdamW.
 */
final class BigramModel {
    private final int vocabulary;
    private final double[] base;
    private double[] adapter;
    private double[] first;
    private double[] second;
    private long steps;

    BigramModel(int vocabulary, long seed) {
        this.vocabulary = vocabulary;
        base = new double[vocabulary * vocabulary];
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < base.length; i++) {
            base[i] = random.nextDouble(-1, 1);
        }
        adapter = new double[base.length];
        first = new double[base.length];
        second = new double[base.length];
    }

    private BigramModel(BigramModel other) {
        vocabulary = other.vocabulary;
        base = other.base;
        adapter = other.adapter.clone();
        first = other.first.clone();
        second = other.second.clone();
        steps = other.steps;
    }

    BigramModel copy() {
        return new BigramModel(this);
    }

    /** Takes over another's adapter, without its optimiser. */
    void overwrite(BigramModel other) {
        adapter = other.adapter.clone();
    }

    int vocabulary() {
        return vocabulary;
    }

    int parameters() {
        return base.length;
    }

    /** Log-probabilities of what may follow a token. */
    double[] logprobs(int token) {
        double[] row = new double[vocabulary];
        double sum = 0;
        for (int i = 0; i < vocabulary; i++) {
            row[i] = base[token * vocabulary + i] + adapter[token * vocabulary + i];
            sum += Math.exp(row[i]);
        }
        for (int i = 0; i < vocabulary; i++) {
            row[i] -= Math.log(sum);
        }
        return row;
    }

    /** Adds the gradient of {@code scale} times the log-probability of a token after another. */
    void addGradient(double[] gradient, int token, int next, double scale) {
        double[] row = logprobs(token);
        for (int i = 0; i < vocabulary; i++) {
            gradient[token * vocabulary + i] += scale * ((i == next ? 1 : 0) - Math.exp(row[i]));
        }
    }

    /** One update of AdamW. */
    void update(double[] gradient, AdamValues adam) {
        steps++;
        for (int i = 0; i < gradient.length; i++) {
            first[i] = adam.beta1() * first[i] + (1 - adam.beta1()) * gradient[i];
            second[i] = adam.beta2() * second[i] + (1 - adam.beta2()) * gradient[i] * gradient[i];
            double mean = first[i] / (1 - Math.pow(adam.beta1(), (double) steps));
            double square = second[i] / (1 - Math.pow(adam.beta2(), (double) steps));
            adapter[i] -=
                    adam.learningRate()
                            * (mean / (Math.sqrt(square) + adam.epsilon())
                                    + adam.weightDecay() * adapter[i]);
        }
    }

    /**
     * Settings of an update.
     *
     * @param learningRate step size
     * @param beta1 decay of the first moment
     * @param beta2 decay of the second
     * @param epsilon added to the root
     * @param weightDecay decoupled
     */
    record AdamValues(
            double learningRate, double beta1, double beta2, double epsilon, double weightDecay) {}
}
