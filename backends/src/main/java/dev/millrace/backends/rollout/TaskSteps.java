package dev.millrace.backends.rollout;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.StepEnd;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of a task that has several, and what is kept of each. A step's end is marked in the
 * sandbox by a command under the effect's own id, as the agent's commands are: a sandbox that is
 * found again is at that step, and one that is rebuilt is brought there in the same order.
 */
final class TaskSteps {
    private static final String WORKSPACE = ".workspace.json.gz";
    private static final String MARK = "true";
    private static final long MARK_MILLIS = 10_000;
    private static final int MARK_BYTES = 1000;
    private static final int KILLED = 137;

    private final RolloutPorts ports;
    private final Sandboxes sandboxes;

    TaskSteps(RolloutPorts ports, Sandboxes sandboxes) {
        this.ports = ports;
        this.sandboxes = sandboxes;
    }

    /** Keeps what a step has come to, and goes on to the next, if the attempt may. */
    StepEvent advance(Effect effect, Sandbox sandbox, long start)
            throws SandboxException, IOException {
        int next = Integer.parseInt(effect.command());
        try {
            List<SandboxFile> files =
                    ports.tasks().capture(AttemptCalls.task(effect), next - 1, sandbox);
            ContentRef kept = put(effect, files);
            boolean goesOn =
                    ports.tasks()
                            .mayGoOn(
                                    AttemptCalls.task(effect),
                                    next - 1,
                                    files,
                                    sandboxes.stepLease(effect, next - 1));
            Optional<String> told = goesOn ? begin(effect, next, sandbox) : Optional.empty();
            String text = told.orElse("");
            int[] tokens = told.isEmpty() ? new int[0] : tokens(effect, text);
            return executed(effect, start, 0, tokens, text, new StepEnd(kept, told.isEmpty()));
        } catch (SandboxException e) {
            if (e.policyCaused()) {
                return executed(effect, start, KILLED, new int[0], "", null);
            }
            throw e;
        }
    }

    /** The mark comes first: a sandbox that is in between two steps is not taken for either. */
    private Optional<String> begin(Effect effect, int step, Sandbox sandbox)
            throws SandboxException {
        mark(effect.effectId(), sandbox);
        return ports.tasks().advance(AttemptCalls.task(effect), step, sandbox);
    }

    private static void mark(String effectId, Sandbox sandbox) throws SandboxException {
        sandbox.exec(new ExecRequest(effectId, MARK, "", Map.of(), MARK_MILLIS, MARK_BYTES));
    }

    /** Brings a rebuilt sandbox to the step that began then. */
    void again(Effect effect, Effect.PastCommand past, Sandbox sandbox)
            throws SandboxException, ReplayMismatchException {
        int step = Integer.parseInt(past.command());
        mark(past.effectId(), sandbox);
        Optional<String> told = ports.tasks().advance(AttemptCalls.task(effect), step, sandbox);
        if (!Digests.sha256(told.orElse("")).equals(past.outputSha256())) {
            throw new ReplayMismatchException("step " + step + " began otherwise");
        }
    }

    /**
     * Keeps what the attempt has come to, with that of the steps before.
     *
     * @param sandbox null when nothing is to be had from it
     * @return null when there is nothing to grade
     */
    ContentRef keep(Effect effect, Sandbox sandbox) throws SandboxException, IOException {
        List<List<SandboxFile>> steps = new ArrayList<>();
        for (Effect.PastCommand past : effect.history()) {
            if (past.stepEnd() != null) {
                byte[] content = ports.store().get(past.stepEnd().workspace());
                steps.add(WorkspaceCodec.decode(content));
            }
        }
        if (sandbox != null) {
            try {
                int step = steps.size();
                steps.add(ports.tasks().capture(AttemptCalls.task(effect), step, sandbox));
            } catch (SandboxException e) {
                if (!e.policyCaused()) {
                    throw e;
                }
            }
        }
        return steps.isEmpty()
                ? null
                : put(effect, ports.tasks().join(AttemptCalls.task(effect), steps));
    }

    private ContentRef put(Effect effect, List<SandboxFile> files) throws IOException {
        return ports.store().put(Answers.prefix(effect), WORKSPACE, WorkspaceCodec.encode(files));
    }

    private int[] tokens(Effect effect, String text) {
        return ports.renderer()
                .instruct(effect.sampledTokens(), effect.stopped(), text, effect.turn() + 1);
    }

    private static StepEvent executed(
            Effect effect, long start, int exitCode, int[] tokens, String text, StepEnd end) {
        String digest = Digests.sha256(text);
        return Events.of(RolloutMachine.STAGE, effect, StepEvent.Kind.EXECUTED, start)
                .with(
                        new Executed(
                                exitCode,
                                false,
                                tokens,
                                0,
                                digest,
                                end == null,
                                0,
                                false,
                                null,
                                end));
    }
}
