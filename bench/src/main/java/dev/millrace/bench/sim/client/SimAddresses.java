package dev.millrace.bench.sim.client;

import java.io.Serializable;

/**
 * Where the simulated services are.
 *
 * @param model port on this machine
 * @param sandbox port on this machine
 * @param trainer port on this machine
 * @param patienceMillis how long a call of the trainer is tried again while it is away
 */
public record SimAddresses(int model, int sandbox, int trainer, long patienceMillis)
        implements Serializable {}
