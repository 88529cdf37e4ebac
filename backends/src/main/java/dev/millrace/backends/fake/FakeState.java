package dev.millrace.backends.fake;

import java.util.List;

/**
 * What a fake trainer has learned.
 *
 * @param weights a digest of all updates, in order
 * @param trained ids of the data behind these updates, in order
 */
public record FakeState(long weights, List<String> trained) {}
