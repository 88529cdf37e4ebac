package dev.millrace.bench.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long a run takes to train again after each kind of failure. */
@Command(
        name = "recovery",
        mixinStandardHelpOptions = true,
        description = {
            "Seconds from a failure to the next new optimizer step, by kind of failure, on real",
            "processes and in real time; and the effective training time ratio",
            "ETTR = 1 - (recovery + work redone) / 600 s. The services are simulated with times",
            "for which a step takes a few seconds. The last line is the result as JSON."
        })
final class RecoveryCommand implements Callable<Integer> {
    /** Those that need nothing of their own from a run that is measured. */
    private static final List<KillKind> KINDS =
            List.of(
                    KillKind.SANDBOX_GONE,
                    KillKind.ROLLOUT_EXCEPTION,
                    KillKind.TRAINER_EXCEPTION,
                    KillKind.SESSION_LOST,
                    KillKind.TASK_MANAGER,
                    KillKind.BROKER,
                    KillKind.JOB_MANAGER,
                    KillKind.WHOLE_JOB,
                    KillKind.RESTORE,
                    KillKind.RESCALE);

    /** More than the benchmark waits for: the run must not end by itself. */
    private static final long STEPS = 100_000;

    @Option(
            names = "--failures",
            paramLabel = "K",
            description = "How many of each kind. Default: 3.")
    private int failures = 3;

    @Option(
            names = "--kinds",
            split = ",",
            paramLabel = "KIND",
            description = "Only these kinds: ${COMPLETION-CANDIDATES}.")
    private List<KillKind> kinds = KINDS;

    @Mixin private StageOptions common = new StageOptions();

    private final PrintStream out;

    RecoveryCommand(PrintStream out) {
        this.out = out;
        common.recipe = common.recipe.resolveSibling("recovery.yaml");
    }

    @Override
    public Integer call() throws IOException {
        return common.measure(
                "recovery",
                folder -> new SoakRequest(0, STEPS, common.seed, "quick", 1, kinds, folder),
                out,
                this::measured);
    }

    private int measured(SoakStage stage) {
        Path savepoints = stage.request().output().resolve("savepoints");
        new RecoveryBenchmark(stage, savepoints, out).run(kinds, failures, common.seed);
        return 0;
    }
}
