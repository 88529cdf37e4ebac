package dev.millrace.jobs.export;

import com.fasterxml.jackson.annotation.JsonInclude;

/** The {@code config.json} of an attempt. */
record TrialConfig(
        TaskConfig task,
        String trialName,
        String trialsDir,
        AgentConfig agent,
        EnvironmentConfig environment,
        VerifierConfig verifier,
        String jobId) {

    /** Which task. */
    record TaskConfig(String path, String source) {}

    /** Who plays. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record AgentConfig(String name, String modelName, Double overrideTimeoutSec) {}

    /**
     * Where it is played.
     *
     * @param type a provider that Harbor has too, or null
     * @param importPath names one that Harbor doesn't have, or null
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record EnvironmentConfig(
            String type,
            String importPath,
            double overrideCpus,
            int overrideMemoryMb,
            int overrideStorageMb) {}

    /** How it is graded. */
    record VerifierConfig(double overrideTimeoutSec) {}
}
