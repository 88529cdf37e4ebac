package dev.millrace.jobs.local;

import dev.millrace.jobs.cli.RunRequest;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.view.EachRun;
import dev.millrace.jobs.view.LiveDisplay;
import dev.millrace.jobs.view.RunEvents;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunShape;
import dev.millrace.jobs.view.RunView;
import dev.millrace.jobs.view.TopicTail;
import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Follows the runs of a job by their topics: draws them, and writes down what happens. */
final class RunWatch {
    private static final Duration CATCH_UP = Duration.ofSeconds(10);

    private final RunRequest request;
    private final RunPlan plan;
    private final long startMillis;
    private final List<WatchedRun> runs = new ArrayList<>();
    private TopicTail tail;
    private LiveDisplay display;

    RunWatch(RunRequest request, RunPlan plan, RunFolder folder, int evalTasks, long startMillis) {
        this.request = request;
        this.plan = plan;
        this.startMillis = startMillis;
        for (PlannedRun run : plan.runs()) {
            RunShape shape = RunShape.of(run.runId(), plan.recipe(), evalTasks);
            runs.add(new WatchedRun(run, folder.reports(plan, run), shape));
        }
    }

    void start(String webUi) throws IOException {
        List<RunEvents> events = new ArrayList<>();
        for (WatchedRun run : runs) {
            events.add(run.open());
            run.say("run_start", Map.of("webUi", webUi, "resumed", request.resume()));
        }
        tail = new TopicTail(plan.bootstrapServers(), plan.topics(), new EachRun(events));
        display =
                new LiveDisplay(
                        runs.stream().map(WatchedRun::view).toList(),
                        request.style(),
                        webUi,
                        request.out(),
                        Clock.systemUTC(),
                        startMillis);
        tail.start();
        display.start();
    }

    /** Reads what is left, draws it a last time and ends; each run then knows how it ended. */
    List<WatchedRun> finish(RunOutcome job) throws IOException, InterruptedException {
        if (tail.finish(CATCH_UP)) {
            runs.stream().map(WatchedRun::view).forEach(RunView::readToTheEnd);
        }
        tail.close();
        display.close();
        for (WatchedRun run : runs) {
            run.finish(job);
        }
        return List.copyOf(runs);
    }
}
