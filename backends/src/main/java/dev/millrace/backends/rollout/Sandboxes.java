package dev.millrace.backends.rollout;

import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.DeadlineException;
import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.effect.Pace;
import dev.millrace.backends.effect.Quarantine;
import dev.millrace.backends.effect.Retrier;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.udfs.step.Effect;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How attempts get at their sandboxes: created, found again, or rebuilt. */
final class Sandboxes {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private final RolloutPorts ports;
    private final RunnerSettings settings;
    private final Calls calls;
    private final Answers answers;
    private final Retrier creating;
    private final Quarantine quarantine;
    private final AtomicLong fence;
    private final AtomicLong attached = new AtomicLong();
    private final AtomicLong rebuilt = new AtomicLong();

    Sandboxes(RolloutPorts ports, RunnerSettings settings, Calls calls) {
        EffectLimits limits = settings.limits();
        this.ports = ports;
        this.settings = settings;
        this.calls = calls;
        this.answers = new Answers(ports);
        this.creating = new Retrier(calls, new Pace(limits.createsPerSecond()), limits);
        this.quarantine = new Quarantine(limits.quarantineAfter(), limits.quarantine());
        this.fence = new AtomicLong(settings.fence());
    }

    /** A fresh one. Waits while the provider is away or asks for a pause. */
    CompletableFuture<Sandbox> create(Effect effect, LiveAttempt attempt) {
        return creating.call(
                        () ->
                                attempt.released()
                                        ? CompletableFuture.failedFuture(
                                                new CancellationException("released"))
                                        : attempt.track(createOnce(effect)),
                        Sandboxes::advice)
                .thenApply(
                        sandbox -> {
                            attempt.hold(sandbox);
                            return sandbox;
                        });
    }

    private CompletableFuture<Sandbox> createOnce(Effect effect) {
        String image = effect.admission().task().uri();
        return calls.run(
                        "creating a sandbox",
                        settings.limits().boot(),
                        () -> ports.tasks().open(effect.admission().task(), lease(effect)),
                        Sandbox::close)
                .whenComplete(
                        (sandbox, failure) -> {
                            Throwable root = failure == null ? null : Retrier.root(failure);
                            if (failure == null) {
                                quarantine.succeeded(image);
                            } else if (blames(root)) {
                                quarantine.failed(image);
                            }
                        });
    }

    /** Whether nothing of the effect's image should be created now. */
    boolean quarantined(Effect effect) {
        return quarantine.closed(effect.admission().task().uri());
    }

    /** The one that the attempt holds; else the live one of its lease; else a rebuilt one. */
    CompletableFuture<Sandbox> ready(Effect effect, LiveAttempt attempt) {
        Sandbox held = attempt.sandbox();
        if (held != null) {
            return CompletableFuture.completedFuture(held);
        }
        return attempt.track(
                        calls.run(
                                "attaching to a sandbox",
                                settings.limits().boot(),
                                () -> attach(effect)))
                .handle((found, failure) -> failure == null ? found : Optional.<Sandbox>empty())
                .thenCompose(
                        found -> {
                            if (found.isPresent()) {
                                attempt.hold(found.get());
                                return CompletableFuture.completedFuture(found.get());
                            }
                            return create(effect, attempt)
                                    .thenCompose(fresh -> replay(effect, attempt, fresh));
                        });
    }

    /** Only one that has run what the state knows of, and nothing else. */
    private Optional<Sandbox> attach(Effect effect) throws SandboxException {
        Optional<Sandbox> found = ports.tasks().attach(lease(effect));
        if (found.isEmpty()) {
            return found;
        }
        List<String> ran =
                found.get().executedIds().stream()
                        .filter(id -> !id.startsWith(TaskEnvironment.OWN))
                        .toList();
        List<String> known = effect.history().stream().map(Effect.PastCommand::effectId).toList();
        if (ran.equals(known)) {
            attached.incrementAndGet();
            return found;
        }
        LOG.info(
                "A sandbox ran what the state does not know, it is rebuilt lease={} known={}"
                        + " ran={}",
                effect.leaseName(),
                known.size(),
                ran.size());
        return Optional.empty();
    }

    /** Brings a fresh sandbox to where the past commands left the lost one. */
    private CompletableFuture<Sandbox> replay(Effect effect, LiveAttempt attempt, Sandbox fresh) {
        EffectLimits limits = settings.limits();
        long execMillis = effect.admission().budget().execMillis();
        long steps = effect.history().stream().filter(past -> past.stepEnd() != null).count();
        long most =
                limits.boot() * (steps + 1)
                        + effect.history().size() * (execMillis + limits.execGrace());
        rebuilt.incrementAndGet();
        return attempt.track(
                calls.run(
                        "rebuilding a sandbox",
                        most,
                        () -> {
                            for (Effect.PastCommand past : effect.history()) {
                                if (past.stepEnd() != null) {
                                    new TaskSteps(ports, this).again(effect, past, fresh);
                                } else {
                                    replay(fresh, past, execMillis);
                                }
                            }
                            return fresh;
                        }));
    }

    private void replay(Sandbox sandbox, Effect.PastCommand past, long execMillis)
            throws SandboxException, ReplayMismatchException {
        ExecResult result =
                sandbox.exec(answers.request(past.effectId(), past.command(), execMillis));
        if (!answers.digest(result).equals(past.outputSha256())) {
            throw new ReplayMismatchException(
                    "command of " + past.effectId() + " printed something else");
        }
    }

    private Lease lease(Effect effect) {
        return new Lease(
                effect.leaseName(),
                owner(effect.admission().runId()),
                fence.incrementAndGet(),
                settings.limits().ttl());
    }

    /** For the sandbox in which the end of a step is judged. */
    Lease stepLease(Effect effect, int step) {
        Lease own = lease(effect);
        return new Lease(own.name() + "/step" + step, own.owner(), own.fence(), own.ttlMillis());
    }

    String owner(String runId) {
        return runId + "/" + settings.label();
    }

    long attached() {
        return attached.get();
    }

    long rebuilt() {
        return rebuilt.get();
    }

    long quarantinedImages() {
        return quarantine.size();
    }

    private static boolean blames(Throwable failure) {
        return failure instanceof DeadlineException
                || (failure instanceof SandboxException e
                        && (e.kind() == Kind.CREATE_FAILED || e.kind() == Kind.IMAGE));
    }

    static Retrier.Advice advice(Throwable failure) {
        if (failure instanceof SandboxException e) {
            if (e.kind() == Kind.RATE_LIMITED) {
                return new Retrier.Advice(true, e.retryAfterMillis());
            }
            return e.kind() == Kind.UNREACHABLE ? Retrier.Advice.AGAIN : Retrier.Advice.STOP;
        }
        return Retrier.Advice.STOP;
    }
}
