package dev.millrace.backends.grading;

import dev.millrace.backends.port.EffectRunner;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.backends.rollout.Events;
import dev.millrace.backends.rollout.Permits;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Grades attempts in sandboxes of their own, at most so many at once. */
public final class GradingRunner implements EffectRunner {
    /** Flag of a verdict that was given before for the same task and the same files. */
    public static final String REUSED = "verdict_reused";

    private static final Logger LOG = LoggerFactory.getLogger(GradingRunner.class);
    private static final long CLOSE_SECONDS = 5;

    private final TaskEnvironment tasks;
    private final TrajectoryStore store;
    private final Permits slots;
    private final VerdictCache cache;
    private final ExecutorService workers;
    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param tasks closed with the runner
     * @param store where workspaces lie
     * @param slotCount sandboxes at once
     * @param reusedVerdicts how many verdicts are kept for equal workspaces; 0 grades each attempt
     */
    public GradingRunner(
            TaskEnvironment tasks, TrajectoryStore store, int slotCount, int reusedVerdicts) {
        this.tasks = tasks;
        this.store = store;
        this.slots = new Permits(slotCount);
        this.cache = new VerdictCache(reusedVerdicts);
        this.workers =
                Executors.newFixedThreadPool(
                        slotCount,
                        task -> {
                            Thread thread = new Thread(task, "grading-effect");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    @Override
    public CompletableFuture<StepEvent> start(Effect effect) {
        Optional<Graded> known = cache.find(effect.finished());
        if (known.isPresent()) {
            Graded reused = new Graded(known.get().reward(), flagged(known.get().flags()));
            return CompletableFuture.completedFuture(
                    Events.of(
                                    GradingMachine.STAGE,
                                    effect,
                                    StepEvent.Kind.GRADED,
                                    System.nanoTime())
                            .with(reused));
        }
        running.add(effect.leaseName());
        return slots.acquire()
                .thenApplyAsync(
                        held -> {
                            try {
                                return grade(effect);
                            } finally {
                                slots.release();
                            }
                        },
                        workers);
    }

    @Override
    public void release(String itemId, String admissionId) {
        running.stream()
                .filter(lease -> lease.startsWith(itemId + "/" + admissionId + "/"))
                .toList()
                .forEach(this::stop);
    }

    @Override
    public void close() {
        closed = true;
        workers.shutdown();
        List.copyOf(running).forEach(this::stop);
        workers.shutdownNow();
        try {
            if (!workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Grading still runs after {} s; its sandboxes are closed", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tasks.close();
    }

    private void stop(String lease) {
        if (running.remove(lease)) {
            tasks.kill(lease);
        }
    }

    private StepEvent grade(Effect effect) {
        long start = System.nanoTime();
        if (closed || !running.contains(effect.leaseName())) {
            throw new CancellationException("released");
        }
        StepEvent event = verdict(effect, start);
        if (!running.remove(effect.leaseName())) {
            throw new CancellationException("released");
        }
        return event;
    }

    private StepEvent verdict(Effect effect, long start) {
        FinishedAttempt attempt = effect.finished();
        try {
            GradingVerdict verdict =
                    tasks.grade(
                            attempt.admission().task(),
                            WorkspaceCodec.decode(store.get(attempt.workspace())),
                            effect.leaseName(),
                            attempt.admission().runId());
            if (verdict.failure() != null) {
                return Events.failed(GradingMachine.STAGE, effect, start, verdict.failure());
            }
            Graded graded = new Graded(verdict.reward(), verdict.flags());
            cache.keep(attempt, graded);
            return Events.of(GradingMachine.STAGE, effect, StepEvent.Kind.GRADED, start)
                    .with(graded);
        } catch (SandboxException e) {
            return Events.failed(GradingMachine.STAGE, effect, start, Events.failure(e));
        } catch (IOException e) {
            return Events.failed(
                    GradingMachine.STAGE,
                    effect,
                    start,
                    new Failure(FailureClass.INFRA, "store_failed", e.getMessage()));
        } catch (RuntimeException e) {
            LOG.warn("Grading failed unexpectedly item={}", effect.itemId(), e);
            return Events.failed(
                    GradingMachine.STAGE,
                    effect,
                    start,
                    new Failure(FailureClass.INFRA, "unexpected", e.getClass().getSimpleName()));
        }
    }

    private static List<String> flagged(List<String> flags) {
        return java.util.stream.Stream.concat(flags.stream(), java.util.stream.Stream.of(REUSED))
                .distinct()
                .toList();
    }
}
