package dev.millrace.jobs.local;

import dev.millrace.jobs.launch.RunFolder;
import dev.millrace.jobs.view.EventLog;
import dev.millrace.jobs.view.RunEvents;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunShape;
import dev.millrace.jobs.view.RunStatus;
import dev.millrace.jobs.view.RunView;
import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.udfs.model.GroupRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** One of the runs of a job that is followed: its view, and its log of events. */
final class WatchedRun {
    private final PlannedRun run;
    private final RunFolder folder;
    private final RunShape shape;
    private final RunView view;
    private EventLog events;
    private RunOutcome outcome;

    /**
     * @param folder where what is told of it goes
     */
    WatchedRun(PlannedRun run, RunFolder folder, RunShape shape) {
        this.run = run;
        this.folder = folder;
        this.shape = shape;
        this.view = new RunView(shape);
    }

    RunEvents open() throws IOException {
        Files.createDirectories(folder.root());
        events = EventLog.open(folder.events());
        return new RunEvents(shape, view, events);
    }

    PlannedRun run() {
        return run;
    }

    RunFolder folder() {
        return folder;
    }

    RunView view() {
        return view;
    }

    RunStatus status() {
        return view.status(Clock.systemUTC().millis());
    }

    /** How it ended. */
    RunOutcome outcome() {
        return outcome;
    }

    /** Ends its log, and says how it ended when its job ended so. */
    void finish(RunOutcome job) throws IOException {
        outcome = job == RunOutcome.FINISHED ? own(status().endedEarly()) : job;
        List<String> violations = view.violations();
        if (!violations.isEmpty()) {
            say("accounts_violated", Map.of("violations", violations));
            outcome = RunOutcome.FAILED;
        }
        say("run_end", Map.of("state", outcome.text()));
        events.close();
    }

    void say(String event, Map<String, ?> values) {
        long now = Clock.systemUTC().millis();
        events.write(now, event, event + "/" + now, values);
    }

    private static RunOutcome own(String endedEarly) {
        return switch (endedEarly) {
            case GroupRecord.STARVED -> RunOutcome.STARVED;
            case GroupRecord.TRAINER_FAILED -> RunOutcome.FAILED;
            default -> RunOutcome.FINISHED;
        };
    }
}
