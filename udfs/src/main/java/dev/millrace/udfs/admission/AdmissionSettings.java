package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.AttemptBudget;
import java.io.Serializable;
import java.util.List;

/**
 * What the gate goes by.
 *
 * @param runId the run
 * @param runSeed of the run; orders the catalogue and seeds attempts
 * @param groupSize attempts of a training group
 * @param groupsPerBatch groups of one step
 * @param steps of the run
 * @param maxLag most steps between the weights that sampled a group and those it trains
 * @param starvationLimit batches of closed groups in a row without a mixed one after which the run
 *     ends; 0 lets it go on
 * @param slots attempts that may be open at a time
 * @param evalSlots how many of them later evaluation rounds may use while training goes on
 * @param evalEverySteps a publication whose step it divides is evaluated; 0 evaluates none
 * @param evalAttempts attempts of each sampled evaluation group, at temperature 1; 0 leaves only
 *     the greedy ones
 * @param temperature of training attempts
 * @param budget of every attempt
 * @param routes keys that attempts are spread over, one for each place they can be played at
 * @param curriculum whether tasks whose groups are likelier to be mixed are played more often
 * @param rowsAhead rows that may wait to be played of each partition of a topic of them; 0 plays
 *     the catalogue's tasks
 * @param quarantineAfter gradings in a row without a verdict, by the verifier's fault, after which
 *     no group of the task begins for a while; 0 plays all tasks
 * @param quarantineMillis how long that is
 */
public record AdmissionSettings(
        String runId,
        long runSeed,
        int groupSize,
        int groupsPerBatch,
        long steps,
        int maxLag,
        int starvationLimit,
        int slots,
        int evalSlots,
        long evalEverySteps,
        int evalAttempts,
        double temperature,
        AttemptBudget budget,
        List<String> routes,
        boolean curriculum,
        int rowsAhead,
        int quarantineAfter,
        long quarantineMillis)
        implements Serializable {
    /** Checks the numbers. */
    public AdmissionSettings {
        require(groupSize >= 1, "groupSize must be at least 1, got " + groupSize);
        require(groupsPerBatch >= 1, "groupsPerBatch must be at least 1, got " + groupsPerBatch);
        require(steps >= 0, "steps must be at least 0, got " + steps);
        require(maxLag >= 0, "maxLag must be at least 0, got " + maxLag);
        require(starvationLimit >= 0, "starvationLimit must be at least 0, got " + starvationLimit);
        require(slots >= 1, "slots must be at least 1, got " + slots);
        boolean evaluates = evalEverySteps > 0;
        require(
                !evaluates || evalSlots >= 1,
                "evalSlots must be at least 1 when there are evaluations, got " + evalSlots);
        require(!routes.isEmpty(), "routes must name at least one place");
        require(rowsAhead >= 0, "rowsAhead must be at least 0, got " + rowsAhead);
        require(quarantineAfter >= 0, "quarantineAfter must be at least 0, got " + quarantineAfter);
        require(rowsAhead == 0 || !curriculum, "a curriculum needs a catalogue, not rows");
    }

    /** The same for a run that reads its training tasks from a topic of rows. */
    public AdmissionSettings withRows(int ahead) {
        return new AdmissionSettings(
                runId,
                runSeed,
                groupSize,
                groupsPerBatch,
                steps,
                maxLag,
                starvationLimit,
                slots,
                evalSlots,
                evalEverySteps,
                evalAttempts,
                temperature,
                budget,
                routes,
                curriculum,
                ahead,
                quarantineAfter,
                quarantineMillis);
    }

    /** The same for a run that leaves tasks alone whose verifiers give no verdict. */
    public AdmissionSettings withQuarantine(int after, long millis) {
        return new AdmissionSettings(
                runId,
                runSeed,
                groupSize,
                groupsPerBatch,
                steps,
                maxLag,
                starvationLimit,
                slots,
                evalSlots,
                evalEverySteps,
                evalAttempts,
                temperature,
                budget,
                routes,
                curriculum,
                rowsAhead,
                after,
                millis);
    }

    /** Plays the tasks of a catalogue, whatever their verifiers say. */
    public AdmissionSettings(
            String runId,
            long runSeed,
            int groupSize,
            int groupsPerBatch,
            long steps,
            int maxLag,
            int starvationLimit,
            int slots,
            int evalSlots,
            long evalEverySteps,
            int evalAttempts,
            double temperature,
            AttemptBudget budget,
            List<String> routes,
            boolean curriculum) {
        this(
                runId,
                runSeed,
                groupSize,
                groupsPerBatch,
                steps,
                maxLag,
                starvationLimit,
                slots,
                evalSlots,
                evalEverySteps,
                evalAttempts,
                temperature,
                budget,
                routes,
                curriculum,
                0,
                0,
                0);
    }

    /** Most training groups that may be admitted and neither used nor dropped. */
    public long openGroupLimit() {
        return (maxLag + 1L) * groupsPerBatch;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
