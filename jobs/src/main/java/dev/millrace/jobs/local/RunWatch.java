package dev.millrace.jobs.local;

import dev.millrace.jobs.cli.RunRequest;
import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.view.EventLog;
import dev.millrace.jobs.view.LiveDisplay;
import dev.millrace.jobs.view.RunEvents;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunShape;
import dev.millrace.jobs.view.RunStatus;
import dev.millrace.jobs.view.RunView;
import dev.millrace.jobs.view.TopicTail;
import dev.millrace.pipeline.topology.RunPlan;
import dev.millrace.udfs.model.GroupRecord;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Follows a run by its topics: draws it, and writes down what happens. */
final class RunWatch {
    private static final Duration CATCH_UP = Duration.ofSeconds(10);

    private final RunRequest request;
    private final RunPlan plan;
    private final RunFolder folder;
    private final long startMillis;
    private final RunShape shape;
    private final RunView view;
    private EventLog events;
    private TopicTail tail;
    private LiveDisplay display;

    RunWatch(RunRequest request, RunPlan plan, RunFolder folder, int evalTasks, long startMillis) {
        this.request = request;
        this.plan = plan;
        this.folder = folder;
        this.startMillis = startMillis;
        this.shape = RunShape.of(plan.runId(), plan.recipe(), evalTasks);
        this.view = new RunView(shape);
    }

    void start(String webUi) throws IOException {
        events = EventLog.open(folder.events());
        say("run_start", Map.of("webUi", webUi, "resumed", request.resume()));
        tail =
                new TopicTail(
                        plan.bootstrapServers(), plan.topics(), new RunEvents(shape, view, events));
        display =
                new LiveDisplay(
                        view,
                        request.style(),
                        webUi,
                        request.out(),
                        Clock.systemUTC(),
                        startMillis);
        tail.start();
        display.start();
    }

    /** Reads what is left, draws it a last time and ends; says how the run ended. */
    RunOutcome finish(RunOutcome ended) throws IOException, InterruptedException {
        if (tail.finish(CATCH_UP)) {
            view.readToTheEnd();
        }
        tail.close();
        display.close();
        boolean starved =
                ended == RunOutcome.FINISHED && status().endedEarly().equals(GroupRecord.STARVED);
        RunOutcome outcome = starved ? RunOutcome.STARVED : ended;
        List<String> violations = view.violations();
        if (!violations.isEmpty()) {
            say("accounts_violated", Map.of("violations", violations));
            outcome = RunOutcome.FAILED;
        }
        say("run_end", Map.of("state", outcome.text()));
        events.close();
        return outcome;
    }

    private void say(String event, Map<String, ?> values) {
        long now = Clock.systemUTC().millis();
        events.write(now, event, event + "/" + now, values);
    }

    RunStatus status() {
        return view.status(Clock.systemUTC().millis());
    }
}
