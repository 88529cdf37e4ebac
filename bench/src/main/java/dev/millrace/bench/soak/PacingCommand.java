package dev.millrace.bench.soak;

import dev.millrace.bench.soak.PacingReport.Published;
import dev.millrace.bench.soak.verify.Evidence.Journaled;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how much of what is played is too old when it could be trained on. */
@Command(
        name = "pacing",
        mixinStandardHelpOptions = true,
        description = {
            "A run without failures on simulated services: long attempts with heavy tails, an",
            "eighth of 256 slots. How many groups were too old to be trained on, how soon a new",
            "version is played with, and whether the trainer accounts for all of its time. The",
            "last line is the result as JSON."
        })
final class PacingCommand implements Callable<Integer> {
    @Option(names = "--steps", paramLabel = "N", description = "Default: 20.")
    private long steps = 20;

    @Option(
            names = "--factor",
            paramLabel = "F",
            description = "Virtual seconds in a real one. Default: 20.")
    private double factor = 20;

    @Mixin private StageOptions common = new StageOptions();

    private final PrintStream out;

    PacingCommand(PrintStream out) {
        this.out = out;
        common.recipe = common.recipe.resolveSibling("pacing.yaml");
    }

    @Override
    public Integer call() throws IOException {
        return common.measure(
                "pacing",
                folder ->
                        new SoakRequest(0, steps, common.seed, "swe-h", factor, List.of(), folder),
                out,
                this::measured);
    }

    private int measured(SoakStage stage) {
        for (long step = 1; step < steps; step++) {
            long next = step;
            Waiting.until("step " + step, () -> stage.watch.step() >= next, stage);
            out.println("step " + step + " of " + steps);
        }
        Waiting.until(
                "the end",
                () -> stage.status().filter(s -> s == JobStatus.FINISHED).isPresent(),
                stage);
        out.println(report(stage).json());
        return 0;
    }

    private static PacingReport report(SoakStage stage) {
        String broker = stage.cluster.bootstrapServers();
        var topics = stage.plan().topics();
        List<Journaled> events = new ArrayList<>();
        new Topic(broker, topics.turns())
                .forEach(StepEvent.class, (event, at) -> events.add(new Journaled(event, at)));
        List<Published> published = new ArrayList<>();
        new Topic(broker, topics.policies())
                .forEach(
                        PolicyRecord.class,
                        (line, at) -> {
                            if (line.kind() == PolicyRecord.Kind.PUBLICATION) {
                                published.add(
                                        new Published(
                                                line.version(), at, accounted(line.metrics())));
                            }
                        });
        return PacingReport.of(
                published,
                events,
                new Topic(broker, topics.groups()).values(GroupRecord.class),
                new Topic(broker, topics.progress()).values(ProgressRecord.class));
    }

    private static long accounted(Map<String, Double> metrics) {
        return Stream.of("trainSeconds", "storeSeconds", "waitSeconds")
                .mapToLong(name -> Math.round(1000 * metrics.getOrDefault(name, 0.0)))
                .sum();
    }
}
