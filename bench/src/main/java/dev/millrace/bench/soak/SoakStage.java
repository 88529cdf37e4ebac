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
                    "pekko.ask.timeout",
                    "60 s",
                    // Slots of a job that is lost are free again soon; else it is the time above.
                    "taskmanager.slot.timeout",
                    "5 s",
                    // A checkpoint is over before an answer from the cache would show it.
                    "web.refresh-interval",
                    "20 ms",
                    // A database logs some MiB a minute, in a new file after each restart.
                    "state.backend.rocksdb.log.level",
                    "ERROR_LEVEL");

    private static final ClusterShape SHAPE = new ClusterShape(2, 2, 900, 700, FLINK);
    private static final long PATIENCE_MILLIS = 180_000;

    final ServiceProcess model;
    final ServiceProcess sandbox;
    final ServiceProcess trainer;
    final ProcessCluster cluster;
    final Members members;
    final TrainerWatch watch;
    private final SoakPlan soak;
    private final double factor;
    private final SoakRequest request;
    private final Path folder;
    private RunPlan plan;
    private ClusterJob job;
    private int release;

    SoakStage(SoakPlan soak, SoakRequest request) {
        this.soak = soak;
        this.factor = request.factor();
        this.request = request;
        this.folder = request.output();
        Path logs = folder.resolve("services");
        logs.toFile().mkdirs();
        model = ServiceProcess.start(SimProcess.Kind.MODEL, logs, request);
        sandbox = ServiceProcess.start(SimProcess.Kind.SANDBOX, logs, request);
        trainer = ServiceProcess.start(SimProcess.Kind.TRAINER, logs, request);
        watch = new TrainerWatch(trainer.log());
        cluster = ProcessCluster.start(folder.resolve("cluster"), SHAPE);
        members = new Members(cluster, folder.resolve("cluster/tmp"));
        long patience = Math.round(300_000 / request.factor()) + 5_000;
        SimAddresses services =
                new SimAddresses(model.port(), sandbox.port(), trainer.port(), patience);
        plan = soak.plan(cluster.bootstrapServers(), services);
        soak.prepare(plan);
        job = submit(Optional.empty());
    }

    RunPlan plan() {
        return plan;
    }

    ClusterJob job() {
        return job;
    }

    /** Virtual seconds in a real one. */
    double factor() {
        return factor;
    }

    /** Kills every process that has a part of the job, starts them again and hands the job over. */
    void killWholeJob() {
        members.killFlink();
        resubmit();
    }

    /** Kills the JobManager, starts it again and hands the job over. */
    void killJobManager() {
        members.kill(cluster.jobManager());
        members.awaitTaskManagers();
        resubmit();
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
        job = submit(Optional.of(path));
    }

    /** Cancels the job and goes on from its newest checkpoint with the next release of its code. */
    void changeStage() {
        cancel();
        release++;
        job = submit(job.newestCheckpoint());
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
        job = submit(job.newestCheckpoint());
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

    /** What was asked for. */
    SoakRequest request() {
        return request;
    }

    /** What is to be read when a run is not as it has to be. */
    String whereToLook() {
        return String.join(
                System.lineSeparator(),
                "look at:",
                "  job " + job.jobId() + ", " + status().map(Enum::name).orElse("nobody answers"),
                "  trained until step " + watch.step() + ", last update " + watch.lastUpdate(),
                "  newest checkpoint " + job.newestCheckpoint().orElse("none"),
                "  alive: " + members.alive(),
                "  " + folder.resolve("cluster/jobmanager.log") + ": grep FAILED, Restarting",
                "  " + folder.resolve("cluster/taskmanager-*.log") + ": grep WARN, no_progress",
                "  " + folder.resolve("services/*.jsonl") + ": what was asked of each service");
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

    private ClusterJob submit(Optional<String> from) {
        int number = release;
        return patiently(() -> cluster.submit(plan, from, env -> StageChange.apply(env, number)));
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
