package dev.millrace.jobs.export;

import java.util.List;

/** The {@code config.json} of a run, which Harbor calls a job. */
record JobConfig(
        String jobName,
        String jobsDir,
        int nAttempts,
        int nConcurrentTrials,
        TrialConfig.EnvironmentConfig environment,
        TrialConfig.VerifierConfig verifier,
        List<TrialConfig.AgentConfig> agents,
        List<DatasetConfig> datasets) {

    /** A folder of tasks. */
    record DatasetConfig(String path) {}
}
