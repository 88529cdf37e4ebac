package dev.millrace.udfs.step;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.StepEnd;
import dev.millrace.udfs.model.Trajectory;
import java.util.List;

/**
 * A slow call to the outside that a machine asks for. Only the parts that its kind needs are set.
 *
 * @param effectId unique within an admission of an item
 * @param itemId the attempt
 * @param kind what to do
 * @param admission what is being played
 * @param leaseName the sandbox it concerns
 * @param tokens SAMPLE: the sequence to continue
 * @param maxTokens SAMPLE: most tokens to sample
 * @param turn SAMPLE and EXECUTE: number of the turn, from 0; BOOT and GRADE: number of the try,
 *     from 0
 * @param command EXECUTE: shell text; ADVANCE: number of the step that follows, from 0
 * @param sampledTokens EXECUTE, OBSERVE and ADVANCE: the turn's sampled tokens
 * @param stopped EXECUTE, OBSERVE and ADVANCE: whether a stop token ended the turn; CAPTURE:
 *     whether nothing more is to be had from the sandbox
 * @param timeoutMillis limit of the effect, once it runs
 * @param history EXECUTE, ADVANCE and CAPTURE: commands that the present try has run before, to
 *     rebuild a sandbox that is gone
 * @param trajectory CAPTURE: what to store
 * @param finished GRADE: what to grade
 * @param part EXECUTE and OBSERVE: number of the command within its turn, from 0
 * @param parts EXECUTE and OBSERVE: commands of the turn
 */
public record Effect(
        String effectId,
        String itemId,
        Kind kind,
        Admission admission,
        String leaseName,
        int[] tokens,
        int maxTokens,
        int turn,
        String command,
        int[] sampledTokens,
        boolean stopped,
        long timeoutMillis,
        List<PastCommand> history,
        Trajectory trajectory,
        FinishedAttempt finished,
        int part,
        int parts) {

    /** An effect that is no part of a turn of several commands. */
    public Effect(
            String effectId,
            String itemId,
            Kind kind,
            Admission admission,
            String leaseName,
            int[] tokens,
            int maxTokens,
            int turn,
            String command,
            int[] sampledTokens,
            boolean stopped,
            long timeoutMillis,
            List<PastCommand> history,
            Trajectory trajectory,
            FinishedAttempt finished) {
        this(
                effectId,
                itemId,
                kind,
                admission,
                leaseName,
                tokens,
                maxTokens,
                turn,
                command,
                sampledTokens,
                stopped,
                timeoutMillis,
                history,
                trajectory,
                finished,
                0,
                1);
    }

    /** The same, as one of the commands of a turn. */
    public Effect ofTurn(int number, int count) {
        return new Effect(
                effectId,
                itemId,
                kind,
                admission,
                leaseName,
                tokens,
                maxTokens,
                turn,
                command,
                sampledTokens,
                stopped,
                timeoutMillis,
                history,
                trajectory,
                finished,
                number,
                count);
    }

    /**
     * A command that was run.
     *
     * @param effectId of the effect that ran it
     * @param command shell text
     * @param outputSha256 digest of the observation it gave
     * @param stepEnd set when it was the end of a step; its command is then the number of the next
     */
    public record PastCommand(
            String effectId, String command, String outputSha256, StepEnd stepEnd) {

        /** One of the agent's. */
        public PastCommand(String effectId, String command, String outputSha256) {
            this(effectId, command, outputSha256, null);
        }
    }

    /** What an effect does. */
    public enum Kind {
        /** Take a slot, create the sandbox, prepare the workspace, render the prompt. */
        BOOT,
        /** Ask the policy. */
        SAMPLE,
        /** Run a command and render what it printed. */
        EXECUTE,
        /** Render what the policy is told about a turn that could not be parsed. */
        OBSERVE,
        /** Keep what a step has come to, prepare the next one and render its instruction. */
        ADVANCE,
        /** Store workspace and trajectory, end the sandbox, give the slot back. */
        CAPTURE,
        /** Grade in a fresh sandbox. */
        GRADE
    }
}
