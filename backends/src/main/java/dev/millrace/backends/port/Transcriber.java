package dev.millrace.backends.port;

import java.util.List;

/**
 * Reads the tokens of an attempt for a person: what the policy was told, and what it said. The text
 * is for reading only; tokens are never made of it again. Pure and thread-safe.
 */
public interface Transcriber {

    /**
     * What the policy was told with tokens that it did not sample, in order. What a template puts
     * around it is left out.
     */
    List<Told> told(int[] tokens);

    /** What the policy said with the tokens that it sampled in one turn, without its end mark. */
    String said(int[] completion);

    /**
     * Part of what the policy was told.
     *
     * @param system whether it stands above all tasks, else it is a task or an observation
     * @param text as the policy read it
     */
    record Told(boolean system, String text) {}
}
