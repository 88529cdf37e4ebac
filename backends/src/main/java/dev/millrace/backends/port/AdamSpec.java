package dev.millrace.backends.port;

import java.io.Serializable;

/**
 * Settings of one Adam update.
 *
 * @param learningRate step size
 * @param beta1 decay of the first moment
 * @param beta2 decay of the second moment
 * @param epsilon added to the root of the second moment
 * @param weightDecay decoupled decay
 * @param maxGradientNorm the gradient is scaled down to that norm; 0 leaves it
 */
public record AdamSpec(
        double learningRate,
        double beta1,
        double beta2,
        double epsilon,
        double weightDecay,
        double maxGradientNorm)
        implements Serializable {}
