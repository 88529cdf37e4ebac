package dev.millrace.jobs.local;

import dev.millrace.jobs.launch.FlinkDefaults;
import dev.millrace.jobs.launch.FreePort;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.pipeline.topology.RunPlan;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The job on a cluster inside this process. */
final class LocalJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalJob.class);
    private static final long STOP_SECONDS = 30;

    private final JobClient client;
    private final int webPort;
    private final Path savepoints;
    private final CompletableFuture<JobExecutionResult> result;
    private volatile boolean stopping;

    LocalJob(JobClient client, int webPort, Path savepoints) {
        this.client = client;
        this.webPort = webPort;
        this.savepoints = savepoints;
        this.result = client.getJobExecutionResult();
    }

    /** Starts a cluster and the job on it. */
    static LocalJob submit(RunPlan plan, RunFolder folder, Optional<String> restore) {
        int webPort = FreePort.orAny(plan.recipe().flink().webPort());
        Configuration configuration =
                LocalFlink.configuration(plan.recipe().flink(), folder, webPort, restore);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironmentWithWebUI(configuration);
        FlinkDefaults.build(env, plan);
        try {
            return new LocalJob(env.executeAsync(plan.runId()), webPort, folder.savepoints());
        } catch (Exception e) {
            throw new IllegalStateException("The job could not be submitted", e);
        }
    }

    /** Address of the web UI. */
    String webUi() {
        return "http://127.0.0.1:" + webPort;
    }

    /** Asks the job to stop with a savepoint; returns at once. */
    void requestStop() {
        stopping = true;
        CompletableFuture<String> stopped =
                client.stopWithSavepoint(
                        false, savepoints.toUri().toString(), SavepointFormatType.NATIVE);
        var unused =
                stopped.orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                        .whenComplete((path, problem) -> stopped(path, problem));
    }

    /**
     * Waits until the job has ended.
     *
     * @param maxMinutes after which it is stopped with a savepoint; 0 for never
     * @param interrupted whether somebody else asked for the stop
     */
    RunOutcome await(int maxMinutes, BooleanSupplier interrupted) throws InterruptedException {
        try {
            await(maxMinutes == 0 ? Long.MAX_VALUE : TimeUnit.MINUTES.toMillis(maxMinutes));
        } catch (TimeoutException e) {
            LOG.warn("The run has reached its time limit minutes={}", maxMinutes);
            requestStop();
            return awaitStop();
        } catch (ExecutionException | CancellationException e) {
            return ended(e);
        }
        return stopping || interrupted.getAsBoolean()
                ? RunOutcome.INTERRUPTED
                : RunOutcome.FINISHED;
    }

    @Override
    public void close() {
        if (!result.isDone()) {
            var unused = client.cancel();
        }
    }

    private void await(long millis)
            throws InterruptedException, ExecutionException, TimeoutException {
        JobExecutionResult ended = result.get(millis, TimeUnit.MILLISECONDS);
        LOG.info("The job has ended job={}", ended.getJobID());
    }

    private RunOutcome awaitStop() throws InterruptedException {
        try {
            await(TimeUnit.SECONDS.toMillis(2 * STOP_SECONDS));
            return RunOutcome.INTERRUPTED;
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return ended(e);
        }
    }

    private RunOutcome ended(Exception e) {
        if (stopping) {
            return RunOutcome.INTERRUPTED;
        }
        LOG.error("The job failed", e);
        return RunOutcome.FAILED;
    }

    private void stopped(String savepoint, Throwable problem) {
        if (problem == null) {
            LOG.info("Stopped with a savepoint path={}", savepoint);
        } else {
            LOG.warn("No savepoint could be taken, the last checkpoint stands", problem);
            var unused = client.cancel();
        }
    }
}
