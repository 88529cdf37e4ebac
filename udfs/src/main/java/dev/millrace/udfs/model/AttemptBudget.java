package dev.millrace.udfs.model;

import java.io.Serializable;

/**
 * What one attempt may use. Times are running time: downtime counts against nobody.
 *
 * @param maxTurns most model calls
 * @param maxTokensPerTurn most tokens sampled in a turn
 * @param contextTokens most tokens of the whole attempt
 * @param maxFormatErrors that many turns in a row that can't be parsed end the attempt; 0 for any
 *     number
 * @param execMillis limit of one command
 * @param attemptMillis limit of the agent's work, from the end of boot
 * @param maxTries how often infrastructure may fail before the attempt is lost
 */
public record AttemptBudget(
        int maxTurns,
        int maxTokensPerTurn,
        int contextTokens,
        int maxFormatErrors,
        long execMillis,
        long attemptMillis,
        int maxTries)
        implements Serializable {
    /** No attempt that is still alive takes that many times as long as it may. */
    private static final long SLACK = 100;

    /**
     * The budget without what depends on the clock or on how often infrastructure fails: a try that
     * infrastructure loses is always played again, and running time counts a hundredfold, so that
     * it ends only calls that hang. The limit of one command stays.
     */
    public AttemptBudget withoutChance() {
        return new AttemptBudget(
                maxTurns,
                maxTokensPerTurn,
                contextTokens,
                maxFormatErrors,
                execMillis,
                SLACK * attemptMillis,
                Integer.MAX_VALUE);
    }
}
