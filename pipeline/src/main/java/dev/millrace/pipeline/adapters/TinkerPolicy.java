package dev.millrace.pipeline.adapters;

import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.render.ChatFamily;
import dev.millrace.backends.render.MiniSweRenderer;
import dev.millrace.backends.render.MiniSweSpec;
import dev.millrace.backends.render.QwenRenderer;
import dev.millrace.backends.render.TextTokenizer;
import dev.millrace.backends.tinker.PolicyUris;
import dev.millrace.backends.tinker.ServerTraits;
import dev.millrace.backends.tinker.TinkerSampler;
import dev.millrace.backends.tinker.TinkerSettings;
import dev.millrace.backends.tinker.TinkerTimes;
import dev.millrace.backends.tinker.TinkerTrainer;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.TinkerServerSettings;
import java.io.IOException;

/**
 * A policy behind a server.
 *
 * @param server where, and how it behaves
 * @param family how the model writes
 * @param thinking whether it thinks before each turn
 * @param tokenizer path of its tokenizer.json
 * @param system what it is told before each task
 * @param miniSwe how its agents work when that is mini-swe-agent's way, else null
 */
public record TinkerPolicy(
        TinkerSettings server,
        ChatFamily family,
        boolean thinking,
        String tokenizer,
        String system,
        MiniSweSpec miniSwe)
        implements PolicyPorts {

    /** Padding makes models take more ids than their tokenizers give. */
    private static final int ANY_ID = 0;

    /**
     * The policy that a recipe asks for, on a server that keeps the protocol.
     *
     * @throws IOException when the tokenizer or a template can't be read
     */
    public static TinkerPolicy of(Recipe recipe) throws IOException {
        TinkerServerSettings settings = recipe.policy().tinker();
        return new TinkerPolicy(
                new TinkerSettings(
                        settings.baseUrl(),
                        settings.baseModel(),
                        settings.rank(),
                        recipe.run().seed(),
                        recipe.rollout().contextTokens(),
                        ANY_ID,
                        SharedTokenizers.at(settings.tokenizer()).stops(),
                        ServerTraits.asSpecified(),
                        TinkerTimes.usual()),
                settings.family(),
                settings.thinking(),
                settings.tokenizer(),
                settings.system(),
                AgentFormats.miniSwe(recipe.agent()));
    }

    /** The same, with what is now known of the server. */
    public TinkerPolicy with(ServerTraits traits) {
        return new TinkerPolicy(server.with(traits), family, thinking, tokenizer, system, miniSwe);
    }

    /** Where the policy lies that nothing has been taught yet. */
    public String initialUri() {
        return PolicyUris.ofBaseModel(server.baseModel());
    }

    @Override
    public Sampler sampler() {
        return new TinkerSampler(server);
    }

    /** What trains it. */
    PolicyTrainer trainer() {
        return new TinkerTrainer(server);
    }

    @Override
    public ChatRenderer renderer() {
        try {
            TextTokenizer text = SharedTokenizers.at(tokenizer);
            return miniSwe == null
                    ? new QwenRenderer(family, text, system, thinking)
                    : new MiniSweRenderer(family, text, thinking, miniSwe);
        } catch (IOException e) {
            throw new IllegalStateException("policy.tinker.tokenizer: " + e.getMessage(), e);
        }
    }
}
