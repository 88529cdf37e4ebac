package dev.millrace.bench.soak;

import dev.millrace.bench.sim.SimProcess;
import dev.millrace.bench.sim.client.SimAddresses;
import dev.millrace.jobs.cluster.ClusterJob;
import dev.millrace.jobs.cluster.ClusterShape;
import dev.millrace.jobs.cluster.JobManagerAway;
import dev.millrace.jobs.cluster.ProcessCluster;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.topology.RunPlan;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.flink.api.common.JobStatus;

/** Everything that takes part in a soak: services, cluster, job. */
final class SoakStage implements AutoCloseable {
    /** A machine under load takes its time. */
    private static final Map<String, String> FLINK =
            Map.of(
                    "pekko.startup-timeout",
                    "120 s",
                    "pekko.ask.timeout",
                    "60 s",
                    // A checkpoint is over before an answer from the cache would show it.
                    "web.refresh-interval",
                    "20 ms");

    private static final ClusterShape SHAPE = new ClusterShape(2, 2, 900, 700, FLINK);
    private static final long PATIENCE_MILLIS = 180_000;

    final ServiceProcess model;
    final ServiceProcess sandbox;
    final ServiceProcess trainer;
    final ProcessCluster cluster;
    final TrainerWatch watch;
    private final SoakPlan soak;
    private RunPlan plan;
    private ClusterJob job;

    SoakStage(SoakPlan soak, SoakRequest request) {
        this.soak = soak;
        Path logs = request.output().resolve("services");
        logs.toFile().mkdirs();
        model = ServiceProcess.start(SimProcess.Kind.MODEL, logs, request.seed(), request.factor());
        sandbox =
                ServiceProcess.start(
                        SimProcess.Kind.SANDBOX, logs, request.seed(), request.factor());
        trainer =
                ServiceProcess.start(
                        SimProcess.Kind.TRAINER, logs, request.seed(), request.factor());
        watch = new TrainerWatch(trainer.log());
        cluster = ProcessCluster.start(request.output().resolve("cluster"), SHAPE);
        long patience = Math.round(300_000 / request.factor()) + 5_000;
        SimAddresses services =
                new SimAddresses(model.port(), sandbox.port(), trainer.port(), patience);
        plan = soak.plan(cluster.bootstrapServers(), services);
        soak.prepare(plan);
        job = cluster.submit(plan, Optional.empty());
    }

    RunPlan plan() {
        return plan;
    }

    ClusterJob job() {
        return job;
    }

    /** Hands the job to a JobManager again. */
    void resubmit() {
        job = patiently(job::resubmit);
    }

    /** Cancels the job and goes on from its newest checkpoint. */
    void restore() {
        cancel();
        resubmit();
    }

    /** Cancels the job and goes on from somewhere. */
    void restoreFrom(String path) {
        cancel();
        job = patiently(() -> cluster.submit(plan, Optional.of(path)));
    }

    /** Cancels the job and goes on from its newest checkpoint at another parallelism. */
    void rescale() {
        cancel();
        int parallelism = plan.recipe().flink().parallelism() == 2 ? 3 : 2;
        try {
            plan = soak.rescaled(plan, parallelism);
        } catch (SettingsException e) {
            throw new IllegalStateException("The recipe can't be read again", e);
        }
        Optional<String> newest = job.newestCheckpoint();
        job = patiently(() -> cluster.submit(plan, newest));
    }

    /** What the job is doing; nothing while nobody knows. */
    Optional<JobStatus> status() {
        try {
            return Optional.of(job.status());
        } catch (JobManagerAway e) {
            return Optional.empty();
        }
    }

    /** Asks until somebody answers. */
    static <T> T patiently(Supplier<T> question) {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (true) {
            try {
                return question.get();
            } catch (JobManagerAway e) {
                if (System.currentTimeMillis() > end) {
                    throw e;
                }
                Pause.millis(300);
            }
        }
    }

    @Override
    public void close() {
        cluster.close();
        closeServices();
    }

    void closeServices() {
        model.close();
        sandbox.close();
        trainer.close();
    }

    private void cancel() {
        patiently(
                () -> {
                    job.cancel();
                    return true;
                });
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!status().map(JobStatus::isGloballyTerminalState).orElse(false)) {
            if (System.currentTimeMillis() > end) {
                throw new IllegalStateException("The job can't be cancelled: " + status());
            }
            Pause.millis(100);
        }
    }
}
