package dev.millrace.jobs.view;

import dev.millrace.pipeline.settings.Recipe;

/**
 * What a view must know of a run beforehand.
 *
 * @param runId records of other runs are passed over
 * @param name of the run
 * @param totalSteps training steps of the whole run
 * @param groupsPerBatch groups of one step
 * @param evalTasks tasks of one evaluation round; 0 when unknown, then no round counts as complete
 */
public record RunShape(
        String runId, String name, int totalSteps, int groupsPerBatch, int evalTasks) {

    /** The shape that a recipe gives a run. */
    public static RunShape of(String runId, Recipe recipe, int evalTasks) {
        return new RunShape(
                runId,
                recipe.run().name(),
                recipe.train().steps(),
                recipe.train().groupsPerBatch(),
                evalTasks);
    }
}
