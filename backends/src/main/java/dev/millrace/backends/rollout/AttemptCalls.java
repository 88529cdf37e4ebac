package dev.millrace.backends.rollout;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.Booted;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.seed.Seeds;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The calls that an attempt makes, each answered by the event that reports it. */
final class AttemptCalls {
    private static final int MAX_OUTPUT_BYTES = 64 * 1024;
    private final RolloutPorts ports;

    AttemptCalls(RolloutPorts ports) {
        this.ports = ports;
    }

    StepEvent boot(Effect effect, LiveAttempt attempt) {
        long start = System.nanoTime();
        try {
            attempt.hold(open(effect));
            int[] prompt = ports.renderer().start(ports.tasks().instruction(task(effect)));
            return event(effect, StepEvent.Kind.BOOTED, start).with(new Booted(prompt));
        } catch (SandboxException e) {
            return failed(
                    effect,
                    start,
                    new Failure(FailureClass.INFRA, Events.failure(e).cause(), e.getMessage()));
        }
    }

    CompletableFuture<StepEvent> sample(Effect effect) {
        long start = System.nanoTime();
        SampleRequest request =
                new SampleRequest(
                        effect.effectId(),
                        effect.admission().policy(),
                        effect.tokens(),
                        effect.maxTokens(),
                        effect.admission().temperature(),
                        Seeds.ofTurn(effect.admission().seed(), effect.turn()));
        return ports.sampler()
                .sample(request)
                .handle(
                        (said, problem) ->
                                problem == null
                                        ? sampled(effect, start, said)
                                        : unsampled(effect, start, problem));
    }

    /** What the policy is told about a turn that could not be parsed. */
    StepEvent observe(Effect effect) {
        long start = System.nanoTime();
        int[] tokens =
                ports.renderer()
                        .observe(
                                effect.sampledTokens(),
                                effect.stopped(),
                                effect.command(),
                                effect.turn() + 1);
        return event(effect, StepEvent.Kind.EXECUTED, start)
                .with(new Executed(-1, false, tokens, 0, Digests.sha256(effect.command()), false));
    }

    StepEvent execute(Effect effect, LiveAttempt attempt) {
        long start = System.nanoTime();
        try {
            Sandbox sandbox =
                    attempt.sandbox() == null ? rebuilt(effect, attempt) : attempt.sandbox();
            ExecResult result =
                    sandbox.exec(
                            request(effect.effectId(), effect.command(), effect.timeoutMillis()));
            return event(effect, StepEvent.Kind.EXECUTED, start).with(executed(effect, result));
        } catch (ReplayMismatchException e) {
            return failed(
                    effect,
                    start,
                    new Failure(FailureClass.INFRA, "replay_mismatch", e.getMessage()));
        } catch (SandboxException e) {
            if (e.policyCaused()) {
                return event(effect, StepEvent.Kind.EXECUTED, start)
                        .with(new Executed(137, false, new int[0], 0, Digests.sha256(""), true));
            }
            return failed(effect, start, Events.failure(e));
        }
    }

    StepEvent capture(Effect effect, LiveAttempt attempt) {
        long start = System.nanoTime();
        String prefix = effect.admission().groupId() + "/a" + effect.admission().attemptIndex();
        try {
            ContentRef workspace = effect.stopped() ? null : workspace(effect, attempt, prefix);
            ContentRef trajectory =
                    ports.store()
                            .put(
                                    prefix,
                                    ".trajectory.json.gz",
                                    TrajectoryCodec.encode(effect.trajectory()));
            return event(effect, StepEvent.Kind.CAPTURED, start)
                    .with(new Captured(workspace, trajectory));
        } catch (ReplayMismatchException e) {
            return failed(
                    effect,
                    start,
                    new Failure(FailureClass.INFRA, "replay_mismatch", e.getMessage()));
        } catch (SandboxException e) {
            return failed(effect, start, Events.failure(e));
        } catch (IOException e) {
            return failed(
                    effect, start, new Failure(FailureClass.INFRA, "store_failed", e.getMessage()));
        }
    }

    private ContentRef workspace(Effect effect, LiveAttempt attempt, String prefix)
            throws SandboxException, IOException, ReplayMismatchException {
        try {
            Sandbox sandbox =
                    attempt.sandbox() == null ? rebuilt(effect, attempt) : attempt.sandbox();
            byte[] files = WorkspaceCodec.encode(ports.tasks().capture(task(effect), sandbox));
            return ports.store().put(prefix, ".workspace.json.gz", files);
        } catch (SandboxException e) {
            if (e.policyCaused() || e.kind() == SandboxException.Kind.QUOTA) {
                return null;
            }
            throw e;
        }
    }

    /** A sandbox in the state that the past commands left it in. */
    private Sandbox rebuilt(Effect effect, LiveAttempt attempt)
            throws SandboxException, ReplayMismatchException {
        Sandbox sandbox = open(effect);
        attempt.hold(sandbox);
        for (Effect.PastCommand past : effect.history()) {
            ExecResult result =
                    sandbox.exec(
                            request(
                                    past.effectId(),
                                    past.command(),
                                    effect.admission().budget().execMillis()));
            if (!Digests.sha256(ports.renderer().describe(result)).equals(past.outputSha256())) {
                throw new ReplayMismatchException(
                        "command of " + past.effectId() + " printed something else");
            }
        }
        return sandbox;
    }

    private Sandbox open(Effect effect) throws SandboxException {
        return ports.tasks().open(task(effect), effect.leaseName(), effect.admission().runId());
    }

    private Executed executed(Effect effect, ExecResult result) {
        String told = ports.renderer().describe(result);
        String shown = ports.observations().shown(task(effect), effect.command(), told);
        int[] tokens =
                ports.renderer()
                        .observe(
                                effect.sampledTokens(), effect.stopped(), shown, effect.turn() + 1);
        return new Executed(
                result.exitCode(),
                result.timedOut(),
                tokens,
                result.totalOutputBytes(),
                Digests.sha256(told),
                false);
    }

    private StepEvent sampled(Effect effect, long start, Completion said) {
        if (!usable(said)) {
            return failed(
                    effect,
                    start,
                    new Failure(
                            FailureClass.INFRA,
                            "logprobs_unusable",
                            "expected a finite log-probability for each of "
                                    + said.tokens().length
                                    + " tokens"));
        }
        if (!said.served().equals(effect.admission().policy().version())) {
            return failed(
                    effect,
                    start,
                    new Failure(
                            FailureClass.INFRA,
                            "sampler_wrong_version",
                            "asked for "
                                    + effect.admission().policy().version()
                                    + ", served "
                                    + said.served()));
        }
        Action action = ports.renderer().parse(said.tokens(), said.stopped());
        TurnAction kind = TurnAction.valueOf(action.kind().name());
        String text = kind == TurnAction.FORMAT_ERROR ? action.feedback() : action.command();
        return event(effect, StepEvent.Kind.SAMPLED, start)
                .with(
                        new Sampled(
                                said.tokens(),
                                said.logprobs(),
                                said.served(),
                                said.stopped(),
                                kind,
                                text));
    }

    private static StepEvent unsampled(Effect effect, long start, Throwable problem) {
        Throwable root = problem.getCause() == null ? problem : problem.getCause();
        String cause =
                root instanceof SamplerException said
                        ? "sampler_" + said.failureCause()
                        : "sampler_failed";
        return failed(
                effect,
                start,
                new Failure(FailureClass.INFRA, cause, String.valueOf(root.getMessage())));
    }

    /** Whether each token has a finite log-probability. */
    private static boolean usable(Completion said) {
        if (said.logprobs() == null || said.logprobs().length != said.tokens().length) {
            return false;
        }
        for (float value : said.logprobs()) {
            if (!Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }

    private static ExecRequest request(String effectId, String command, long timeoutMillis) {
        return new ExecRequest(effectId, command, "", Map.of(), timeoutMillis, MAX_OUTPUT_BYTES);
    }

    private static Task task(Effect effect) {
        return effect.admission().task();
    }

    private static StepEvent event(Effect effect, StepEvent.Kind kind, long start) {
        return Events.of(RolloutMachine.STAGE, effect, kind, start);
    }

    private static StepEvent failed(Effect effect, long start, Failure failure) {
        return Events.failed(RolloutMachine.STAGE, effect, start, failure);
    }
}
