package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Sampled;

/**
 * A turn so far.
 *
 * @param firstToken index of its first sampled token
 * @param sampled the policy's part
 * @param executed the environment's part, or null while it is not known
 * @param effectId of the effect that gave the environment's part, or null
 */
record PlayedTurn(int firstToken, Sampled sampled, Executed executed, String effectId) {}
