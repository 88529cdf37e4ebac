package dev.millrace.backends.port;

/**
 * What an update measured.
 *
 * @param gradientNorm before scaling
 * @param skipped whether the update was left out because the gradient was not finite
 */
public record OptimResult(double gradientNorm, boolean skipped) {}
