package dev.millrace.udfs.lag;

/**
 * An announced epoch: where it leaves the history of its parent.
 *
 * @param epoch the epoch
 * @param parentEpoch the epoch it continues
 * @param step steps that both have in common
 */
public record Fork(long epoch, long parentEpoch, long step) {}
