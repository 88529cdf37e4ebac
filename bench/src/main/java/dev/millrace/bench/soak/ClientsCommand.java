package dev.millrace.bench.soak;

import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.StepEvent;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how the runs of one job share its rollout slots. */
@Command(
        name = "clients",
        mixinStandardHelpOptions = true,
        description = {
            "Several runs in one job on simulated services, with attempts of minutes and heavy",
            "tails. First all have work, and the time for which each run holds slots is compared.",
            "Then the trainer refuses all runs but the last, which is alone from then on. The last",
            "line is the result as JSON; exit code 1 when a run is further than 10 % from the mean",
            "or the last one gets less than 90 % of the slots."
        })
final class ClientsCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final long MINUTE = 60_000;
    private static final long LOOK_MILLIS = 2_000;

    /** More than can be trained in the time. */
    private static final long STEPS = 1_000;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long the runs are compared. Default: 10.")
    private double minutes = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Minutes before that. Default: 4, in which attempts get out of step.")
    private double warmUp = 4;

    @Option(
            names = "--alone",
            paramLabel = "N",
            description = "For how many minutes the last run is alone. Default: 5.")
    private double alone = 5;

    @Option(
            names = "--factor",
            paramLabel = "F",
            description = "Virtual seconds in a real one. Default: 1.")
    private double factor = 1;

    @Mixin private StageOptions common = new StageOptions();

    private final PrintStream out;

    ClientsCommand(PrintStream out) {
        this.out = out;
        common.recipe = common.recipe.resolveSibling("clients.yaml");
    }

    @Override
    public Integer call() throws IOException {
        return common.measure(
                "clients",
                folder ->
                        new SoakRequest(0, STEPS, common.seed, "swe-h", factor, List.of(), folder),
                out,
                this::measured);
    }

    private int measured(SoakStage stage) {
        ClientsReport report = report(stage);
        report.faults().forEach(out::println);
        out.println(report.json());
        return report.faults().isEmpty() ? 0 : FAILED;
    }

    private ClientsReport report(SoakStage stage) {
        Waiting.until("the first turn", () -> stage.model.log().toFile().length() > 0, stage);
        long start = goOn("warm-up", System.currentTimeMillis(), warmUp, stage);
        out.println("all runs have work");
        long end = goOn("the comparison", start, minutes, stage);
        List<String> runs = stage.plan().runs().stream().map(PlannedRun::runId).toList();
        String last = runs.get(runs.size() - 1);
        long left = end(runs.subList(0, runs.size() - 1), stage);
        out.println(last + " is alone");
        long over = goOn("the end", left, alone, stage);
        SlotUse use = new SlotUse();
        topic(stage, stage.plan().topics().turns()).forEach(StepEvent.class, use::add);
        return new ClientsReport(
                stage.plan().recipe().rollout().slots(),
                end - start,
                use.between(runs, start, end),
                over - left,
                use.between(runs, left, over).get(last));
    }

    private static long goOn(String what, long from, double minutes, SoakStage stage) {
        long until = from + Math.round(minutes * MINUTE);
        Waiting.until(what, () -> System.currentTimeMillis() >= until, stage);
        return until;
    }

    /** Has the trainer refuse runs, and waits until the job has given them up. */
    private static long end(List<String> runs, SoakStage stage) {
        runs.forEach(stage.trainer::refuse);
        Set<String> over = new HashSet<>();
        List<Long> times = new ArrayList<>(List.of(System.currentTimeMillis()));
        while (!over.containsAll(runs)) {
            long next = System.currentTimeMillis() + LOOK_MILLIS;
            Waiting.until("runs to end", () -> System.currentTimeMillis() >= next, stage);
            topic(stage, stage.plan().topics().policies())
                    .forEach(
                            PolicyRecord.class,
                            (line, at) -> {
                                if (line.kind() == PolicyRecord.Kind.FAILED
                                        && over.add(line.runId())) {
                                    times.add(at);
                                }
                            });
        }
        return Collections.max(times);
    }

    private static Topic topic(SoakStage stage, String name) {
        return new Topic(stage.cluster.bootstrapServers(), name);
    }
}
