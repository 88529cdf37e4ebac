package dev.millrace.jobs.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.jobs.view.RunOutcome;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;

class LocalJobTest {
    @Test
    void hasNoTimeLimitOfZeroMinutes() throws InterruptedException {
        CompletableFuture<JobExecutionResult> result = new CompletableFuture<>();
        result.completeOnTimeout(
                new JobExecutionResult(new JobID(), 1, Map.of()), 200, TimeUnit.MILLISECONDS);
        LocalJob job = new LocalJob(thatEndsWith(result), 0, Path.of("savepoints"));
        assertThat(job.await(0, () -> false)).isEqualTo(RunOutcome.FINISHED);
    }

    /** A job that can't be stopped. */
    private static JobClient thatEndsWith(CompletableFuture<JobExecutionResult> result) {
        return (JobClient)
                Proxy.newProxyInstance(
                        JobClient.class.getClassLoader(),
                        new Class<?>[] {JobClient.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("getJobExecutionResult")
                                        ? result
                                        : new CompletableFuture<>());
    }
}
