package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.DeadlineException;
import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.effect.Retrier;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.Booted;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done in an attempt's sandbox, each answered by the event that reports it. */
final class AttemptCalls {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptCalls.class);
    private static final int TIMED_OUT = 124;

    private final RolloutPorts ports;
    private final EffectLimits limits;
    private final Calls calls;
    private final Sandboxes sandboxes;
    private final Answers answers;
    private final TaskSteps steps;

    AttemptCalls(RolloutPorts ports, EffectLimits limits, Calls calls, Sandboxes sandboxes) {
        this.ports = ports;
        this.limits = limits;
        this.calls = calls;
        this.sandboxes = sandboxes;
        this.answers = new Answers(ports);
        this.steps = new TaskSteps(ports, sandboxes);
    }

    CompletableFuture<StepEvent> boot(Effect effect, LiveAttempt attempt) {
        long start = System.nanoTime();
        if (sandboxes.quarantined(effect)) {
            Failure failure =
                    new Failure(
                            FailureClass.INFRA,
                            Failure.IMAGE_QUARANTINED,
                            "sandboxes of " + task(effect).uri() + " could not be created lately");
            return CompletableFuture.completedFuture(failed(effect, start, failure));
        }
        return sandboxes
                .create(effect, attempt)
                .thenCompose(
                        sandbox ->
                                calls.run(
                                        "reading a task",
                                        limits.boot(),
                                        () -> booted(task(effect))))
                .handle(
                        (booted, failure) ->
                                failure == null
                                        ? event(effect, StepEvent.Kind.BOOTED, start).with(booted)
                                        : unbooted(effect, start, failure));
    }

    private Booted booted(Task task) throws SandboxException {
        int steps = ports.tasks().steps(task);
        int[] prompt = ports.renderer().start(ports.tasks().instruction(task));
        return new Booted(prompt, steps > 1 ? steps : 0);
    }

    /** What the policy is told about a turn that could not be parsed. */
    StepEvent observe(Effect effect) {
        long start = System.nanoTime();
        return event(effect, StepEvent.Kind.EXECUTED, start).with(answers.malformed(effect));
    }

    CompletableFuture<StepEvent> execute(Effect effect, LiveAttempt attempt) {
        return inSandbox(effect, attempt, this::executeOnce, true);
    }

    CompletableFuture<StepEvent> advance(Effect effect, LiveAttempt attempt) {
        return inSandbox(effect, attempt, this::advanceOnce, true);
    }

    private CompletableFuture<StepEvent> advanceOnce(
            Effect effect, LiveAttempt attempt, Sandbox sandbox) {
        long start = System.nanoTime();
        return attempt.track(
                calls.run(
                        "a step's end",
                        limits.capture() + limits.grade() + limits.boot(),
                        () -> steps.advance(effect, sandbox, start)));
    }

    CompletableFuture<StepEvent> capture(Effect effect, LiveAttempt attempt) {
        return effect.stopped()
                ? captureOnce(effect, attempt, null)
                        .exceptionally(e -> undone(effect, System.nanoTime(), Retrier.root(e)))
                : inSandbox(effect, attempt, this::captureOnce, true);
    }

    /** Something that is done in the attempt's sandbox. */
    @FunctionalInterface
    private interface Work {
        CompletableFuture<StepEvent> in(Effect effect, LiveAttempt attempt, Sandbox sandbox);
    }

    /** A sandbox that was lost meanwhile is rebuilt, once; the attempt's siblings don't notice. */
    private CompletableFuture<StepEvent> inSandbox(
            Effect effect, LiveAttempt attempt, Work work, boolean rebuild) {
        long start = System.nanoTime();
        return sandboxes
                .ready(effect, attempt)
                .thenCompose(sandbox -> work.in(effect, attempt, sandbox))
                .exceptionallyCompose(
                        failure -> {
                            Throwable root = Retrier.root(failure);
                            if (rebuild && lost(root) && !attempt.released()) {
                                attempt.discard();
                                return inSandbox(effect, attempt, work, false);
                            }
                            return CompletableFuture.completedFuture(undone(effect, start, root));
                        });
    }

    private CompletableFuture<StepEvent> executeOnce(
            Effect effect, LiveAttempt attempt, Sandbox sandbox) {
        long start = System.nanoTime();
        return attempt.track(
                        calls.run(
                                "command",
                                effect.timeoutMillis() + limits.execGrace(),
                                () -> exec(effect, start, sandbox)))
                .thenApply(
                        event -> {
                            attempt.answered();
                            return event;
                        })
                .exceptionally(
                        failure -> {
                            if (Retrier.root(failure) instanceof DeadlineException) {
                                attempt.unanswered();
                                return unanswered(effect, start);
                            }
                            throw new CompletionException(Retrier.root(failure));
                        });
    }

    private StepEvent exec(Effect effect, long start, Sandbox sandbox)
            throws SandboxException, IOException {
        ExecResult result;
        try {
            result =
                    sandbox.exec(
                            answers.request(
                                    effect.effectId(), effect.command(), effect.timeoutMillis()));
        } catch (SandboxException e) {
            if (e.policyCaused()) {
                return event(effect, StepEvent.Kind.EXECUTED, start).with(Answers.sandboxEnded());
            }
            throw e;
        }
        return event(effect, StepEvent.Kind.EXECUTED, start).with(answers.of(effect, result));
    }

    /** The sandbox did not answer; to the policy that is a command that took too long. */
    private StepEvent unanswered(Effect effect, long start) {
        ExecResult nothing =
                new ExecResult(
                        TIMED_OUT,
                        new byte[0],
                        0,
                        true,
                        false,
                        effect.timeoutMillis(),
                        "command timeout " + effect.timeoutMillis() + " ms");
        try {
            return event(effect, StepEvent.Kind.EXECUTED, start).with(answers.of(effect, nothing));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private CompletableFuture<StepEvent> captureOnce(
            Effect effect, LiveAttempt attempt, Sandbox sandbox) {
        long start = System.nanoTime();
        String prefix = Answers.prefix(effect);
        return attempt.track(
                calls.run(
                        "capture",
                        limits.capture(),
                        () -> {
                            ContentRef workspace = steps.keep(effect, sandbox);
                            ContentRef trajectory =
                                    ports.store()
                                            .put(
                                                    prefix,
                                                    ".trajectory.json.gz",
                                                    TrajectoryCodec.encode(effect.trajectory()));
                            return event(effect, StepEvent.Kind.CAPTURED, start)
                                    .with(new Captured(workspace, trajectory));
                        }));
    }

    /** Whether the sandbox, and with it all that the command did, is gone or out of reach. */
    private static boolean lost(Throwable failure) {
        return failure instanceof SandboxException e
                && !e.policyCaused()
                && (e.kind() == Kind.DIED || e.kind() == Kind.UNREACHABLE);
    }

    private static StepEvent unbooted(Effect effect, long start, Throwable failure) {
        Throwable root = Retrier.root(failure);
        if (root instanceof SandboxException e && e.kind() != Kind.FENCED) {
            // Nothing of the policy has run yet.
            Failure infra =
                    new Failure(FailureClass.INFRA, Events.failure(e).cause(), e.getMessage());
            return failed(effect, start, infra);
        }
        return undone(effect, start, root);
    }

    /** A stage of the past, and one that was told to stop, report nothing. */
    static StepEvent undone(Effect effect, long start, Throwable root) {
        if (root instanceof CancellationException cancelled) {
            throw cancelled;
        }
        if (root instanceof SandboxException e) {
            if (e.kind() == Kind.FENCED) {
                throw new CancellationException(e.getMessage());
            }
            return failed(effect, start, Events.failure(e));
        }
        String name = effect.kind().name().toLowerCase(Locale.ROOT);
        String cause =
                root instanceof DeadlineException
                        ? name + "_deadline"
                        : root instanceof ReplayMismatchException
                                ? "replay_mismatch"
                                : root instanceof IOException ? "store_failed" : "unexpected";
        if (cause.equals("unexpected")) {
            LOG.warn("An effect failed unexpectedly effect={}", effect.effectId(), root);
        }
        String message =
                cause.equals("unexpected") ? root.getClass().getSimpleName() : root.getMessage();
        return failed(effect, start, new Failure(FailureClass.INFRA, cause, message));
    }

    static Task task(Effect effect) {
        return effect.admission().task();
    }

    private static StepEvent event(Effect effect, StepEvent.Kind kind, long start) {
        return Events.of(RolloutMachine.STAGE, effect, kind, start);
    }

    private static StepEvent failed(Effect effect, long start, Failure failure) {
        return Events.failed(RolloutMachine.STAGE, effect, start, failure);
    }
}
