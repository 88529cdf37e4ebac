package dev.millrace.backends.port;

/**
 * How an attempt goes on after a turn.
 *
 * @param takenBack ids at the end of the attempt, the turn's among them, that leave it first; 0
 *     when the turn stays
 * @param tokens ids to append, up to where the policy speaks next
 */
public record Reply(int takenBack, int[] tokens) {}
