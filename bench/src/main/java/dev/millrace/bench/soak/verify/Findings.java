package dev.millrace.bench.soak.verify;

import java.util.List;

/**
 * What a run did not keep. Empty lists and small numbers are good.
 *
 * @param steps in the weights that the run ended with
 * @param lost admitted attempts and groups without an end, and skipped indices
 * @param trainedTwice data that went into the final weights more than once
 * @param wrongSteps steps and minibatches that are missing from the final weights, or out of order
 * @param trainedOtherwise groups whose data went into other steps than was said, or into none
 * @param lagViolations groups that trained weights further away than allowed
 * @param leaked leases of sandboxes that nobody ended
 * @param notIntact attempts whose workspace is not what each command, run once, leaves
 * @param turnsRepeated commands that ran again though no replay asked for them
 * @param turnsRepeatedMax most of them for one attempt and one kill
 * @param commandsReplayed commands that ran again to rebuild a sandbox
 */
public record Findings(
        long steps,
        List<String> lost,
        List<String> trainedTwice,
        List<String> wrongSteps,
        List<String> trainedOtherwise,
        List<String> lagViolations,
        List<String> leaked,
        List<String> notIntact,
        long turnsRepeated,
        long turnsRepeatedMax,
        long commandsReplayed) {}
