package dev.millrace.jobs.preflight;

import dev.millrace.jobs.launch.ServedPolicy;
import dev.millrace.pipeline.settings.Recipe;
import java.util.Optional;

/**
 * A policy behind a server needs that server, its model and its tokenizer.
 *
 * @param recipe settings of the run
 */
public record PolicyServerCheck(Recipe recipe) implements Check {
    @Override
    public Optional<String> refusal() {
        return ServedPolicy.refusal(recipe);
    }
}
