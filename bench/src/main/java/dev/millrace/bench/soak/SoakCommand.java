package dev.millrace.bench.soak;

import dev.millrace.jobs.cluster.JobManagerAway;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs simulated training on real processes, kills them by plan, and judges what is left. */
@Command(
        name = "millrace soak",
        mixinStandardHelpOptions = true,
        description = {
            "Trains on simulated services with a broker, a JobManager and two TaskManagers as",
            "processes, kills them by plan, and checks that nothing was lost or trained twice.",
            "The last line is the result as JSON. Exit code 1: a promise was broken."
        })
public final class SoakCommand implements Callable<Integer> {
    private static final int BROKEN = 1;
    private static final int BAD_INPUT = 2;

    @Option(names = "--kills", paramLabel = "K", description = "How many kills. Default: 12.")
    private int kills = 12;

    @Option(names = "--steps", paramLabel = "S", description = "Steps of the run. Default: 30.")
    private long steps = 30;

    @Option(
            names = "--factor",
            paramLabel = "X",
            description = "Virtual seconds in a real one, 10 to 1000. Default: 60.")
    private double factor = 60;

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "Only these kinds of kills: ${COMPLETION-CANDIDATES}.")
    private List<KillKind> kinds = List.of(KillKind.values());

    @Mixin private StageOptions common = new StageOptions();

    private final PrintStream out;

    SoakCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs the command and ends the process. */
    public static void main(String[] arguments) {
        CommandLine line =
                new CommandLine(new SoakCommand(System.out))
                        .setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(line.execute(arguments));
    }

    private int judged(SoakStage stage) throws IOException {
        out.println("web UI at " + stage.cluster.webUi());
        SoakRun run = new SoakRun(stage.request(), stage.plan().recipe(), stage, out);
        try {
            SoakReport report = run.toTheEnd();
            List<String> broken = report.broken();
            broken.forEach(promise -> out.println("BROKEN " + promise));
            if (!broken.isEmpty()) {
                out.println(stage.whereToLook());
            }
            out.println(report.json());
            return broken.isEmpty() ? 0 : BROKEN;
        } catch (StuckException | JobManagerAway | IllegalStateException e) {
            out.println("BROKEN stuck " + e.getMessage());
            out.println(stage.whereToLook());
            out.println(SoakReport.stuck(run.done(), e.getMessage()));
            return BROKEN;
        }
    }

    @Override
    public Integer call() throws IOException {
        if (!KillPlan.fits(kills, steps)) {
            out.println("--steps must be at least --kills and 4 more: each kill takes a step");
            return BAD_INPUT;
        }
        return common.measure(
                "soak",
                folder ->
                        new SoakRequest(kills, steps, common.seed, "small", factor, kinds, folder),
                out,
                this::judged);
    }
}
