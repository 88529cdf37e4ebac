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
    private static final String TORCH_THREADS = "ai.djl.pytorch.num_threads";

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
        String threads = System.getProperty(TORCH_THREADS, "1");
        if (recipe.run().lockstep() && !threads.equals("1")) {
            refused.add(
                    "run.determinism must be free: the system property "
                            + TORCH_THREADS
                            + " is "
                            + threads
                            + ", and sums of more than one thread depend on time");
        }
        return refused.isEmpty()
                ? Optional.empty()
                : Optional.of("on this machine " + String.join(", ", refused));
    }
}
