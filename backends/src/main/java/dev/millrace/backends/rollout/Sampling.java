package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.effect.Pace;
import dev.millrace.backends.effect.Retrier;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.seed.Seeds;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Asks the policy. A server that is away is waited for; that time counts against nobody. The call
 * that is answered counts against the attempt, and is ended when the attempt's time is over.
 */
final class Sampling {
    private final RolloutPorts ports;
    private final EffectLimits limits;
    private final Calls calls;
    private final Retrier asking;

    Sampling(RolloutPorts ports, EffectLimits limits, Calls calls) {
        this.ports = ports;
        this.limits = limits;
        this.calls = calls;
        this.asking = new Retrier(calls, new Pace(0), limits);
    }

    /** The attempt's own time is over; not a failure of the server. */
    private static final class TimeUp extends Exception {
        private static final long serialVersionUID = 1L;
    }

    CompletableFuture<StepEvent> sample(Effect effect, LiveAttempt attempt) {
        long[] start = {System.nanoTime()};
        SampleRequest request =
                new SampleRequest(
                        effect.effectId(),
                        effect.admission().policy(),
                        effect.tokens(),
                        effect.maxTokens(),
                        effect.admission().temperature(),
                        Seeds.ofTurn(effect.admission().seed(), effect.turn()));
        return asking.call(
                        () -> {
                            if (attempt.released()) {
                                return CompletableFuture.failedFuture(
                                        new CancellationException("released"));
                            }
                            start[0] = System.nanoTime();
                            return limited(effect, attempt.track(ports.sampler().sample(request)));
                        },
                        Sampling::advice)
                .handle(
                        (said, problem) ->
                                problem == null
                                        ? sampled(effect, start[0], said)
                                        : unsampled(effect, start[0], Retrier.root(problem)));
    }

    private CompletableFuture<Completion> limited(
            Effect effect, CompletableFuture<Completion> answer) {
        boolean own = effect.timeoutMillis() <= limits.sample();
        CompletableFuture<Void> limit = calls.after(own ? effect.timeoutMillis() : limits.sample());
        CompletableFuture<Completion> limited = new CompletableFuture<>();
        CompletableFuture<Void> unusedEnd =
                limit.whenComplete(
                        (over, closed) -> {
                            if (closed == null
                                    && limited.completeExceptionally(
                                            own
                                                    ? new TimeUp()
                                                    : new TimeoutException("no answer"))) {
                                answer.cancel(true);
                            }
                        });
        CompletableFuture<Completion> unusedAnswer =
                answer.whenComplete(
                        (said, failure) -> {
                            if (failure == null) {
                                limited.complete(said);
                            } else {
                                limited.completeExceptionally(failure);
                            }
                            limit.cancel(false);
                        });
        return limited;
    }

    private static Retrier.Advice advice(Throwable failure) {
        if (failure instanceof SamplerException e) {
            return e.isAway()
                    ? new Retrier.Advice(true, e.retryAfterMillis())
                    : Retrier.Advice.STOP;
        }
        return failure instanceof TimeoutException || failure instanceof IOException
                ? Retrier.Advice.AGAIN
                : Retrier.Advice.STOP;
    }

    private StepEvent sampled(Effect effect, long start, Completion said) {
        if (!usable(said)) {
            return failed(
                    effect,
                    start,
                    FailureClass.INFRA,
                    "logprobs_unusable",
                    "expected a finite log-probability for each of "
                            + said.tokens().length
                            + " tokens");
        }
        if (!said.served().equals(effect.admission().policy().version())) {
            return failed(
                    effect,
                    start,
                    FailureClass.INFRA,
                    "sampler_wrong_version",
                    "asked for "
                            + effect.admission().policy().version()
                            + ", served "
                            + said.served());
        }
        Action action = ports.renderer().parse(said.tokens(), said.stopped());
        TurnAction kind = TurnAction.valueOf(action.kind().name());
        String text = kind == TurnAction.FORMAT_ERROR ? action.feedback() : action.command();
        return Events.of(RolloutMachine.STAGE, effect, StepEvent.Kind.SAMPLED, start)
                .with(
                        new Sampled(
                                said.tokens(),
                                said.logprobs(),
                                said.served(),
                                said.stopped(),
                                kind,
                                text,
                                action.more().isEmpty() ? null : action.more()));
    }

    private static StepEvent unsampled(Effect effect, long start, Throwable problem) {
        if (problem instanceof CancellationException released) {
            throw released;
        }
        if (problem instanceof TimeUp) {
            return failed(
                    effect,
                    start,
                    FailureClass.POLICY,
                    Failure.ATTEMPT_DEADLINE,
                    "the attempt's running time was used up in turn " + effect.turn());
        }
        String cause =
                problem instanceof SamplerException said
                        ? "sampler_" + said.failureCause()
                        : problem instanceof TimeoutException
                                ? "sampler_timeout"
                                : "sampler_failed";
        return failed(
                effect, start, FailureClass.INFRA, cause, String.valueOf(problem.getMessage()));
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

    private static StepEvent failed(
            Effect effect, long start, FailureClass whose, String cause, String message) {
        return Events.failed(
                RolloutMachine.STAGE, effect, start, new Failure(whose, cause, message));
    }
}
