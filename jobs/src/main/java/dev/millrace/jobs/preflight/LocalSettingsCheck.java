package dev.millrace.jobs.preflight;

import dev.millrace.pipeline.settings.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run in this process refuses what it could only ignore.
 *
 * @param recipe settings of the run
 */
public record LocalSettingsCheck(Recipe recipe) implements Check {

    @Override
    public Optional<String> refusal() {
        List<String> refused = new ArrayList<>();
        if (!recipe.kafka().embedded()) {
            refused.add("kafka.bootstrap must be embedded");
        }
        if (recipe.train().gpuResource().isPresent()) {
            refused.add("train.placement must be none");
        }
        if (!recipe.eval().greedy()) {
            refused.add("eval.greedy must be true");
        }
        return refused.isEmpty()
                ? Optional.empty()
                : Optional.of("on this machine " + String.join(", ", refused));
    }
}
