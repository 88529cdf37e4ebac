package dev.millrace.backends.port;

/**
 * What a forward and backward pass measured, over tokens that are not masked.
 *
 * @param loss the objective, summed
 * @param tokens how many tokens counted
 * @param clippedFraction share of tokens whose ratio was clipped
 * @param approximateKl mean of r - 1 - ln r
 * @param entropy mean entropy of the next-token distribution, nats
 */
public record LossResult(
        double loss, long tokens, double clippedFraction, double approximateKl, double entropy) {}
