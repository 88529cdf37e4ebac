package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a service answers.
 *
 * @param body the answer
 * @param virtualMillis how long it takes, from now
 */
record Answer(JsonNode body, long virtualMillis) {}
