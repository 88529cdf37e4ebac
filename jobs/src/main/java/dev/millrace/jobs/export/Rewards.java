package dev.millrace.jobs.export;

import dev.millrace.udfs.model.AttemptSummary;
import java.util.Map;
import java.util.TreeMap;

/** What an attempt earned, by name. */
final class Rewards {
    static final String REWARD = "reward";

    private static final String NUMBER = "reward_number:";

    private Rewards() {}

    /**
     * The reward that counts, and the other numbers that its verifier gave. Valid attempts only.
     */
    static Map<String, Double> of(AttemptSummary attempt) {
        Map<String, Double> rewards = new TreeMap<>();
        if (attempt.flags() != null) {
            attempt.flags().stream()
                    .filter(flag -> flag.startsWith(NUMBER))
                    .forEach(flag -> number(flag.substring(NUMBER.length()), rewards));
        }
        rewards.put(REWARD, attempt.reward());
        return rewards;
    }

    private static void number(String flag, Map<String, Double> rewards) {
        int equals = flag.lastIndexOf('=');
        if (equals <= 0) {
            return;
        }
        try {
            double number = Double.parseDouble(flag.substring(equals + 1));
            if (Double.isFinite(number)) {
                rewards.put(PlainText.of(flag.substring(0, equals)), number);
            }
        } catch (NumberFormatException notANumber) {
            // Verifiers choose the keys: one that only looks like this flag says nothing.
            return;
        }
    }
}
