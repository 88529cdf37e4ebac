package dev.millrace.udfs.group;

import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Attempts of one group that said exactly the same, token for token, although that can't be chance:
 * their random choices were not their own. A short answer that nearly every attempt gives is
 * chance, and so is what is sampled at low temperature; the log-probabilities tell.
 */
public final class EqualAttempts {
    /** Log of the chance below which it is none: one in a million. */
    static final double LEAST_LOG_CHANCE = Math.log(1e-6);

    private EqualAttempts() {}

    /**
     * What to report about a group.
     *
     * @param attempts those that ended, of one admission
     */
    public static Optional<Reject> in(Collection<FinishedAttempt> attempts) {
        Map<String, List<FinishedAttempt>> bySpoken = new TreeMap<>();
        for (FinishedAttempt attempt : attempts) {
            boolean spoke = attempt.spoken() != null && attempt.generatedTokens() > 0;
            // Below temperature 1 the log-probabilities understate how likely an answer was.
            if (spoke && attempt.admission().temperature() >= 1) {
                bySpoken.computeIfAbsent(attempt.spoken().sha256(), s -> new ArrayList<>())
                        .add(attempt);
            }
        }
        return bySpoken.values().stream()
                .filter(equal -> logChance(equal, attempts.size()) < LEAST_LOG_CHANCE)
                .findFirst()
                .map(EqualAttempts::reject);
    }

    /** Log of how likely so many of the attempts say the same by chance, at most. */
    static double logChance(List<FinishedAttempt> equal, int attempts) {
        double logChance = (equal.size() - 1) * equal.get(0).spoken().logprob();
        for (int i = 0; i < equal.size(); i++) {
            // Any so many of them might have.
            logChance += Math.log((double) (attempts - i) / (i + 1));
        }
        return equal.size() < 2 ? 0 : logChance;
    }

    private static Reject reject(List<FinishedAttempt> equal) {
        FinishedAttempt first = equal.get(0);
        List<Integer> indexes =
                equal.stream().map(attempt -> attempt.admission().attemptIndex()).toList();
        return new Reject(
                first.admission().runId(),
                "group",
                Reject.EQUAL_ATTEMPTS,
                first.admission().groupId(),
                "attempts "
                        + indexes
                        + " said the same "
                        + first.generatedTokens()
                        + " tokens, whose log-probability is "
                        + (float) first.spoken().logprob());
    }
}
