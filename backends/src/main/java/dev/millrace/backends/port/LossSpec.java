package dev.millrace.backends.port;

import java.io.Serializable;

/**
 * Clipped policy-gradient objective: minus the sum over tokens of min(r a, clip(r, low, high) a), r
 * the ratio of new to behaviour probability.
 *
 * @param clipLow absolute lower bound of the ratio, for instance 0.8
 * @param clipHigh absolute upper bound of the ratio, for instance 1.28
 */
public record LossSpec(double clipLow, double clipHigh) implements Serializable {}
