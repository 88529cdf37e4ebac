package dev.millrace.udfs.minibatch;

/**
 * The epoch under which region 2 acts from now on; it was announced before anything acted under it.
 *
 * @param runId the run
 * @param epoch the epoch
 * @param parentEpoch the epoch whose history it continues
 * @param forkStep steps that both have in common
 * @param nonce tells two trainers that claim the same epoch apart; part of every name
 */
public record EpochClaim(String runId, long epoch, long parentEpoch, long forkStep, String nonce) {}
