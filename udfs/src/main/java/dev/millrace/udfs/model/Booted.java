package dev.millrace.udfs.model;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A sandbox stands ready and the policy has something to read.
 *
 * @param promptTokens ids up to where the policy speaks first
 * @param steps instructions that the task gives one after the other; 0 counts as 1
 */
public record Booted(int[] promptTokens, @JsonInclude(JsonInclude.Include.NON_DEFAULT) int steps) {

    /** For a task with one instruction. */
    public Booted(int[] promptTokens) {
        this(promptTokens, 0);
    }
}
