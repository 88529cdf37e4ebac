package dev.millrace.jobs.view;

import java.nio.file.Path;

/**
 * What topics don't say about a run.
 *
 * @param outcome how it ended
 * @param seed of all random choices
 * @param recipeDigest SHA-256 of the resolved recipe
 * @param warmUp what was done before reinforcement learning
 * @param wallSeconds of this process, from start to end
 * @param peakRssBytes most memory that this process held, without its sandboxes; 0 when unknown
 * @param output folder of the run
 * @param resumed whether it went on from an earlier start
 * @param smoke whether it was only to show that everything works
 */
public record RunFacts(
        RunOutcome outcome,
        long seed,
        String recipeDigest,
        WarmUpReport warmUp,
        double wallSeconds,
        long peakRssBytes,
        Path output,
        boolean resumed,
        boolean smoke) {}
