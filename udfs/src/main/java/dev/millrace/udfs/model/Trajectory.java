package dev.millrace.udfs.model;

import java.util.List;

/**
 * The token ledger of an attempt: prompt, turns and observations in one growing sequence, never
 * rendered again.
 *
 * @param attemptId names the attempt
 * @param admissionId which admission was played
 * @param tokens ids
 * @param mask 1 where the policy sampled the token, else 0; same length
 * @param logprobs under the version that sampled the token, base e; 0 where the mask is 0; same
 *     length
 * @param turns where each turn lies and what was done with it
 */
public record Trajectory(
        String attemptId,
        String admissionId,
        int[] tokens,
        byte[] mask,
        float[] logprobs,
        List<Turn> turns) {}
