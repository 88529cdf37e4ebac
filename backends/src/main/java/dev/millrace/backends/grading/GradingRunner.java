package dev.millrace.backends.grading;

import dev.millrace.backends.effect.Backoff;
import dev.millrace.backends.effect.Calls;
import dev.millrace.backends.effect.DeadlineException;
import dev.millrace.backends.effect.Quarantine;
import dev.millrace.backends.effect.Retrier;
import dev.millrace.backends.port.EffectRunner;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Events;
import dev.millrace.backends.rollout.Permits;
import dev.millrace.backends.rollout.RunnerSettings;
import dev.millrace.backends.rollout.WorkspaceCodec;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Graded;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Grades attempts in sandboxes of their own, at most so many at once, each under a deadline. */
public final class GradingRunner implements EffectRunner {
    /** Flag of a verdict that was given before for the same task and the same files. */
    public static final String REUSED = "verdict_reused";

    private static final Logger LOG = LoggerFactory.getLogger(GradingRunner.class);
    private static final long CLOSE_MILLIS = 5_000;

    private final TaskEnvironment tasks;
    private final TrajectoryStore store;
    private final RunnerSettings settings;
    private final Permits slots;
    private final VerdictCache cache;
    private final Quarantine quarantine;
    private final Calls work = new Calls("grading-effect");
    private final Calls endings = new Calls("grading-end");
    private final AtomicLong fence;
    private final Map<String, Grading> running = new ConcurrentHashMap<>();

    /** One that was started: its lease, and the call once it is made. */
    private static final class Grading {
        private final Lease lease;
        private CompletableFuture<?> call;
        private boolean stopped;

        Grading(Lease lease) {
            this.lease = lease;
        }

        synchronized <T> CompletableFuture<T> track(CompletableFuture<T> started) {
            call = started;
            if (stopped) {
                started.cancel(true);
            }
            return started;
        }

        synchronized void stop() {
            stopped = true;
            if (call != null) {
                call.cancel(true);
            }
        }

        synchronized boolean stopped() {
            return stopped;
        }
    }

    /**
     * With the usual limits and no successor.
     *
     * @param tasks closed with the runner
     * @param store where workspaces lie
     * @param slotCount sandboxes at once
     * @param reusedVerdicts how many verdicts are kept for equal workspaces; 0 grades each attempt
     */
    public GradingRunner(
            TaskEnvironment tasks, TrajectoryStore store, int slotCount, int reusedVerdicts) {
        this(tasks, store, RunnerSettings.of(slotCount, "grading"), reusedVerdicts);
    }

    /** With everything said. */
    public GradingRunner(
            TaskEnvironment tasks,
            TrajectoryStore store,
            RunnerSettings settings,
            int reusedVerdicts) {
        this.tasks = tasks;
        this.store = store;
        this.settings = settings;
        this.slots = new Permits(settings.slots());
        this.cache = new VerdictCache(reusedVerdicts);
        this.quarantine =
                new Quarantine(
                        settings.limits().quarantineTaskAfter(), settings.limits().quarantine());
        this.fence = new AtomicLong(settings.fence());
    }

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        Optional<Graded> known = cache.find(effect.finished());
        if (known.isPresent()) {
            Graded reused = new Graded(known.get().reward(), flagged(known.get().flags()));
            return CompletableFuture.completedFuture(
                    event(effect, StepEvent.Kind.GRADED, System.nanoTime()).with(reused));
        }
        String task = effect.admission().task().uri();
        if (quarantine.closed(task)) {
            return CompletableFuture.completedFuture(
                    Events.failed(
                            GradingMachine.STAGE, effect, System.nanoTime(), quarantined(task)));
        }
        Grading grading = new Grading(lease(effect));
        running.put(effect.leaseName(), grading);
        double random = ThreadLocalRandom.current().nextDouble();
        long pause =
                effect.turn() == 0
                        ? 0
                        : Backoff.millis(settings.limits().backoff(), effect.turn(), random);
        return work.after(pause)
                .thenCompose(over -> slots.acquire())
                .thenCompose(held -> graded(effect, grading));
    }

    private CompletableFuture<StepEvent> graded(Effect effect, Grading grading) {
        long start = System.nanoTime();
        if (grading.stopped()) {
            slots.release();
            throw new CancellationException("released");
        }
        return grading.track(
                        work.run(
                                "grading",
                                settings.limits().grade(),
                                () -> grade(effect, grading.lease, start)))
                .whenComplete((event, failure) -> slots.release())
                .exceptionally(failure -> ungraded(effect, grading, start, failure))
                .thenApply(
                        event -> {
                            if (!running.remove(effect.leaseName(), grading)) {
                                throw new CancellationException("released");
                            }
                            return event;
                        });
    }

    private Lease lease(Effect effect) {
        return new Lease(
                effect.leaseName(),
                owner(effect.admission().runId()),
                fence.incrementAndGet(),
                settings.limits().ttl());
    }

    private String owner(String runId) {
        return runId + "/" + settings.label();
    }

    @Override
    public void release(String itemId, String admissionId) {
        running.keySet().stream()
                .filter(lease -> lease.startsWith(itemId + "/" + admissionId + "/"))
                .toList()
                .forEach(this::stop);
    }

    @Override
    public void reap(String runId, Set<String> openLeases) {
        // A grading of an earlier opening is of no use: it starts anew in a sandbox of its own.
        CompletableFuture<Integer> unused =
                work.run(
                                "reaping",
                                settings.limits().boot(),
                                () -> tasks.reap(owner(runId), settings.fence(), Set.of()))
                        .whenComplete(
                                (count, failure) -> {
                                    if (failure != null) {
                                        LOG.warn("Orphans were not reaped", failure);
                                    }
                                });
    }

    @Override
    public Map<String, LongSupplier> gauges() {
        return Map.of("callsStuck", work::stuck, "tasksQuarantined", quarantine::size);
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::stop);
        work.close();
        boolean ended = work.awaitEnd(CLOSE_MILLIS);
        endings.close();
        if (!ended) {
            LOG.warn("Grading still runs after {} ms; it is fenced", CLOSE_MILLIS);
        }
        tasks.close();
    }

    private void stop(String name) {
        Grading grading = running.remove(name);
        if (grading != null) {
            grading.stop();
            kill(grading.lease);
        }
    }

    /** Beside the caller, who may be the task thread. */
    private void kill(Lease lease) {
        CompletableFuture<Boolean> unused =
                endings.run(
                        "ending a verifier",
                        settings.limits().terminate(),
                        () -> {
                            tasks.kill(lease);
                            return true;
                        });
    }

    private StepEvent grade(Effect effect, Lease lease, long start)
            throws SandboxException, IOException {
        FinishedAttempt attempt = effect.finished();
        GradingVerdict verdict =
                tasks.grade(
                        attempt.admission().task(),
                        WorkspaceCodec.decode(store.get(attempt.workspace())),
                        lease);
        String task = attempt.admission().task().uri();
        if (verdict.failure() != null) {
            if (verdict.failure().failureClass() == FailureClass.VERIFIER) {
                quarantine.failed(task);
            }
            return Events.failed(GradingMachine.STAGE, effect, start, verdict.failure());
        }
        quarantine.succeeded(task);
        Graded graded = new Graded(verdict.reward(), verdict.flags());
        cache.keep(attempt, graded);
        return event(effect, StepEvent.Kind.GRADED, start).with(graded);
    }

    private StepEvent ungraded(Effect effect, Grading grading, long start, Throwable failure) {
        Throwable root = Retrier.root(failure);
        if (root instanceof CancellationException cancelled) {
            throw cancelled;
        }
        Failure reported;
        if (root instanceof DeadlineException) {
            kill(grading.lease);
            reported = infra("grading_deadline", root.getMessage());
        } else if (root instanceof SandboxException e) {
            reported = Events.failure(e);
        } else if (root instanceof IOException) {
            reported = infra("store_failed", root.getMessage());
        } else {
            LOG.warn("Grading failed unexpectedly item={}", effect.itemId(), root);
            reported = infra("unexpected", root.getClass().getSimpleName());
        }
        return Events.failed(GradingMachine.STAGE, effect, start, reported);
    }

    private static Failure quarantined(String task) {
        return new Failure(
                FailureClass.VERIFIER,
                Failure.TASK_QUARANTINED,
                "the verifier of " + task + " gave no verdict lately");
    }

    private static Failure infra(String cause, String message) {
        return new Failure(FailureClass.INFRA, cause, message);
    }

    private static StepEvent event(Effect effect, StepEvent.Kind kind, long start) {
        return Events.of(GradingMachine.STAGE, effect, kind, start);
    }

    private static List<String> flagged(List<String> flags) {
        return Stream.concat(flags.stream(), Stream.of(REUSED)).distinct().toList();
    }
}
