package dev.millrace.jobs.export;

import dev.millrace.backends.port.Transcriber;
import dev.millrace.pipeline.settings.Recipe;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A run that is exported.
 *
 * @param runId names it, and its folder
 * @param recipe its settings
 * @param since when it was begun, for what the ledger has no time of
 * @param until when it ended, null when it is still going on
 * @param version of Millrace
 * @param transcriber reads its tokens
 */
record ExportedRun(
        String runId,
        Recipe recipe,
        Instant since,
        Instant until,
        String version,
        Transcriber transcriber) {
    static final String AGENT = "millrace";

    ModelNames models() {
        return new ModelNames(runId);
    }

    /** An id that is always the same for the same name. */
    static String uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    TrialConfig.AgentConfig agent(String model) {
        return new TrialConfig.AgentConfig(
                AGENT, model, seconds(recipe.rollout().attemptTimeout().toMillis()));
    }

    TrialConfig.EnvironmentConfig environment() {
        String provider = recipe.sandbox().provider().name().toLowerCase(Locale.ROOT);
        boolean own = provider.equals("bubblewrap");
        return new TrialConfig.EnvironmentConfig(
                own ? null : provider,
                own ? AGENT + ":" + provider : null,
                recipe.sandbox().cpus(),
                recipe.sandbox().memoryMb(),
                recipe.sandbox().diskMb());
    }

    TrialConfig.VerifierConfig verifier() {
        return new TrialConfig.VerifierConfig(seconds(recipe.grading().timeout().toMillis()));
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }
}
