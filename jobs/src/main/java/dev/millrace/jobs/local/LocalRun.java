package dev.millrace.jobs.local;

import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.cli.RunRequest;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.launch.RunIdentity;
import dev.millrace.jobs.launch.RunPreparation;
import dev.millrace.jobs.view.PeakMemory;
import dev.millrace.jobs.view.RunFacts;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunSummary;
import dev.millrace.jobs.view.SummaryText;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A run, or several in one job, from preparation to summary. */
final class LocalRun implements AutoCloseable {
    private static final Duration STOP_GRACE = Duration.ofSeconds(40);

    private final RunRequest request;
    private final Recipe recipe;
    private final RunFolder folder;
    private final long startNanos = System.nanoTime();
    private final long startMillis = System.currentTimeMillis();
    private final Thread preparing = Thread.currentThread();
    private final StopSignal signal;
    private volatile LocalJob job;
    private EmbeddedBroker broker;

    LocalRun(RunRequest request) {
        this.request = request;
        this.recipe = request.recipe();
        this.folder = new RunFolder(request.output());
        this.signal = StopSignal.install(this::requestStop, STOP_GRACE);
    }

    /**
     * Runs to the end, or until it is stopped.
     *
     * @return one of {@link ExitCode}
     */
    int toTheEnd() throws IOException, HarborTaskException, SandboxException, InterruptedException {
        Files.createDirectories(folder.scratch());
        say("drawing tasks");
        RunPreparation preparation =
                RunPreparation.of(
                        recipe, folder, folder.scratch().toString(), request.resume(), this::say);
        CompletableFuture<EmbeddedBroker> starting =
                CompletableFuture.supplyAsync(() -> EmbeddedBroker.start(folder.broker()));
        preparation.identify();
        broker = starting.join();
        RunPlan plan = preparation.plan(KafkaCluster.at(broker.bootstrapServers()));
        Optional<String> restore = preparation.restore(plan, request.restartTasks());
        say("starting the cluster");
        int evalTasks = preparation.catalogue().of(recipe.tasks().evalSplit()).size();
        RunWatch watch = new RunWatch(request, plan, folder, evalTasks, startMillis);
        List<WatchedRun> runs;
        try (LocalJob running = LocalJob.submit(plan, folder, restore)) {
            job = running;
            watch.start(running.webUi());
            RunOutcome ended = running.await(recipe.limits().maxMinutes(), signal::requested);
            runs = watch.finish(ended);
            report(runs, preparation.identity());
        }
        return exitCode(runs.stream().map(WatchedRun::outcome).toList());
    }

    private static int exitCode(List<RunOutcome> outcomes) {
        if (outcomes.contains(RunOutcome.INTERRUPTED)) {
            return ExitCode.INTERRUPTED;
        }
        boolean all = outcomes.stream().allMatch(outcome -> outcome == RunOutcome.FINISHED);
        return all ? ExitCode.OK : ExitCode.FAILED;
    }

    @Override
    public void close() {
        if (broker != null) {
            broker.close();
        }
        FolderRemoval.remove(folder.scratch());
        signal.close();
    }

    /** A run that plays stops with a savepoint; one that is still being prepared just ends. */
    private void requestStop() {
        LocalJob running = job;
        if (running != null) {
            running.requestStop();
        } else {
            preparing.interrupt();
        }
    }

    private void report(List<WatchedRun> runs, RunIdentity identity) throws IOException {
        for (WatchedRun run : runs) {
            RunSummary summary = summary(run, identity);
            summary.write(run.folder().summary());
            if (runs.size() == 1) {
                SummaryText.lines(summary, folder.root(), request.style())
                        .forEach(request.out()::println);
            } else {
                request.out().println(SummaryText.line(summary));
            }
        }
        if (runs.size() > 1) {
            request.out().println("Summaries and events of each run: " + folder.clients());
        }
    }

    private RunSummary summary(WatchedRun run, RunIdentity identity) {
        return RunSummary.of(
                run.status(),
                new RunFacts(
                        run.outcome(),
                        run.run().seed(),
                        recipe.digest(),
                        identity.warmUp(),
                        (System.nanoTime() - startNanos) / 1e9,
                        PeakMemory.bytes(),
                        folder.root(),
                        request.resume(),
                        request.smoke()));
    }

    private void say(String what) {
        request.out()
                .printf(
                        java.util.Locale.ROOT,
                        "%5.1fs  %s%n",
                        (System.nanoTime() - startNanos) / 1e9,
                        what);
    }
}
