package dev.millrace.bench.soak;

import dev.millrace.bench.soak.Killer.Done;
import dev.millrace.pipeline.settings.Recipe;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.JobStatus;

/** A run from its start, through its kills, to the judgement of what is left of it. */
final class SoakRun {
    /** A run of so many kills has an outage that lasts real minutes; shorter runs are for CI. */
    private static final int LONG_OUTAGE_FROM = 50;

    private final SoakRequest request;
    private final Recipe recipe;
    private final SoakStage stage;
    private final PrintStream out;
    private final List<Done> done = new ArrayList<>();
    private final List<String> otherRegions = new ArrayList<>();
    private final Pace pace;
    private int said;
    private int checkpointsOwed;
    private long beforeRecovered;

    SoakRun(SoakRequest request, Recipe recipe, SoakStage stage, PrintStream out) {
        this.request = request;
        this.recipe = recipe;
        this.stage = stage;
        this.out = out;
        this.pace = new Pace(System.currentTimeMillis(), request.kills(), request.steps());
    }

    SoakReport toTheEnd() throws IOException {
        List<Kill> kills =
                KillPlan.draw(request.seed(), request.kills(), request.kinds(), request.steps());
        Killer killer =
                new Killer(
                        stage,
                        request.output().resolve("savepoints"),
                        request.kills() >= LONG_OUTAGE_FROM);
        for (int i = 0; i < kills.size(); i++) {
            boolean undisturbed = i + 1 == kills.size() || !kills.get(i + 1).beforeRecovered();
            carryOut(killer, kills.get(i), undisturbed);
        }
        awaitRecovery();
        Waiting.until("the end", () -> is(JobStatus.FINISHED), stage);
        say("[" + pace() + "] the run has ended");
        if (!stage.members.revived().isEmpty()) {
            say("ended by themselves and were started again: " + stage.members.revived());
        }
        Aftermath aftermath = new Aftermath(stage, recipe.train());
        aftermath.awaitNoLeaks();
        return new SoakReport(
                done,
                recoveries(),
                new Shares(
                        done.size(),
                        done.stream().filter(Done::duringCheckpoint).count(),
                        beforeRecovered),
                request.kinds().containsAll(List.of(KillKind.values())),
                otherRegions,
                aftermath.findings(request.steps(), done.stream().map(Done::at).toList()),
                request.steps());
    }

    /** What was done so far. */
    List<Done> done() {
        return List.copyOf(done);
    }

    /**
     * Carries a kill out.
     *
     * @param undisturbed whether the next one waits until this one is overcome
     */
    private void carryOut(Killer killer, Kill kill, boolean undisturbed) {
        if (!kill.beforeRecovered()) {
            awaitRecovery();
            Waiting.until(
                    "step " + kill.atStep(), () -> stage.watch.step() >= kill.atStep(), stage);
        }
        Pause.millis(kill.delayMillis());
        Optional<RegionRestarts> before = RegionRestarts.of(stage.job());
        boolean inCheckpoint =
                kill.duringCheckpoint()
                        || (checkpointsOwed > 0
                                && kill.kind().strikesAtOnce()
                                && !kill.beforeRecovered());
        Done struck = killer.carryOut(kill, inCheckpoint);
        boolean early = !done.isEmpty() && !overcomeBefore(struck.at());
        done.add(struck);
        count(kill, struck, early);
        say(
                String.format(
                        Locale.ROOT,
                        "[%s] kill %d of %d %s%s%s",
                        pace(),
                        done.size(),
                        request.kills(),
                        struck.kind().label(),
                        struck.duringCheckpoint() ? ", in a checkpoint" : "",
                        early ? ", before the last was overcome" : ""));
        if (undisturbed) {
            awaitRecovery();
        }
        if (undisturbed && !early) {
            compare(struck, before);
        }
    }

    /** A kill that found no checkpoint in progress leaves that to one of the next. */
    private void count(Kill kill, Done struck, boolean early) {
        if (early) {
            beforeRecovered++;
        }
        if (kill.duringCheckpoint() && !struck.duringCheckpoint()) {
            checkpointsOwed++;
        } else if (!kill.duringCheckpoint() && struck.duringCheckpoint()) {
            checkpointsOwed--;
        }
    }

    private String pace() {
        return pace.at(System.currentTimeMillis(), done.size(), stage.watch.step());
    }

    private void compare(Done struck, Optional<RegionRestarts> before) {
        Optional<RegionRestarts> after = RegionRestarts.of(stage.job());
        if (before.isPresent() && after.isPresent()) {
            for (String region : after.get().wronglySince(before.get(), struck.kind())) {
                otherRegions.add(region + " after kill " + done.size() + " " + struck.kind());
            }
        }
    }

    private void awaitRecovery() {
        if (done.isEmpty()) {
            return;
        }
        Done last = done.get(done.size() - 1);
        Waiting.until(
                "a new update after " + last.kind(),
                () -> recovered(last).isPresent() || is(JobStatus.FINISHED),
                stage);
        if (said == done.size()) {
            return;
        }
        said = done.size();
        recovered(last)
                .ifPresent(
                        at ->
                                say(
                                        String.format(
                                                Locale.ROOT,
                                                "  overcome after %.1f s",
                                                (at - last.at()) / 1000.0)));
    }

    /** Whether the last kill was overcome by then. */
    private boolean overcomeBefore(long time) {
        OptionalLong at = recovered(done.get(done.size() - 1));
        return at.isPresent() && at.getAsLong() <= time;
    }

    private OptionalLong recovered(Done kill) {
        return stage.watch.firstBeyond(kill.mark(), kill.notBefore());
    }

    private List<Double> recoveries() {
        List<Double> seconds = new ArrayList<>();
        for (Done kill : done) {
            OptionalLong at = recovered(kill);
            seconds.add(at.isPresent() ? (at.getAsLong() - kill.at()) / 1000.0 : Double.NaN);
        }
        return seconds;
    }

    private boolean is(JobStatus status) {
        return stage.status().map(s -> s == status).orElse(false);
    }

    private void say(String what) {
        out.println(what);
        out.flush();
    }
}
