package dev.millrace.pipeline.adapters;

import dev.millrace.backends.embedded.TurnTranscriber;
import dev.millrace.backends.port.Transcriber;
import dev.millrace.backends.render.ChatTranscriber;
import dev.millrace.pipeline.settings.Recipe;
import java.io.IOException;

/** Who reads the tokens of a recipe's policy. */
public final class Transcribers {
    private Transcribers() {}

    /**
     * The transcriber of a recipe's policy.
     *
     * @throws IOException when its tokenizer can't be read
     */
    public static Transcriber of(Recipe recipe) throws IOException {
        return switch (recipe.policy().backend()) {
            case EMBEDDED -> new TurnTranscriber();
            case TINKER ->
                    new ChatTranscriber(SharedTokenizers.at(recipe.policy().tinker().tokenizer()));
        };
    }
}
