package dev.millrace.bench.soak;

import dev.millrace.bench.soak.Killer.Done;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Lets a run fail in each way a few times, one failure after another, and takes the time. */
final class RecoveryBenchmark {
    private static final int STEPS_BEFORE = 6;
    private static final int STEPS_BETWEEN = 2;

    private final SoakStage stage;
    private final Killer killer;
    private final PrintStream out;
    private final RecoveryTable table = new RecoveryTable();

    RecoveryBenchmark(SoakStage stage, Path savepoints, PrintStream out) {
        this.stage = stage;
        this.killer = new Killer(stage, savepoints, false);
        this.out = out;
    }

    /**
     * Measures.
     *
     * @param failures how many of each kind
     */
    void run(List<KillKind> kinds, int failures, long seed) {
        Random random = new Random(seed);
        awaitSteps(STEPS_BEFORE);
        double stepSeconds = undisturbed(stage.watch.updates());
        out.printf(Locale.ROOT, "a step takes %.1f s while nothing fails%n", stepSeconds);
        for (int round = 0; round < failures; round++) {
            List<KillKind> order = new ArrayList<>(kinds);
            Collections.shuffle(order, random);
            for (KillKind kind : order) {
                awaitSteps(STEPS_BETWEEN);
                Pause.millis(random.nextInt(2000));
                fail(new Kill(kind, 0, 0, false, false, random.nextInt(1 << 16)));
            }
        }
        table.lines().forEach(out::println);
        out.println(table.json(stepSeconds));
    }

    private void fail(Kill kill) {
        Done done = killer.carryOut(kill, false);
        Waiting.until(
                "a new step after " + kill.kind().label(), () -> next(done).isPresent(), stage);
        long last =
                stage.watch.updates().stream()
                        .mapToLong(TrainerWatch.Update::at)
                        .filter(at -> at <= done.at())
                        .max()
                        .orElse(done.at());
        boolean trainer =
                kill.kind().mayRestart() == KillKind.Region.LEARN
                        || kill.kind().mayRestart() == KillKind.Region.ANY;
        Recovery recovery = Recovery.of(last, done.at(), next(done).orElseThrow(), trainer);
        table.add(kill.kind(), recovery);
        out.printf(
                Locale.ROOT,
                "%s: new step after %.1f s, %.1f s of work redone%n",
                kill.kind().label(),
                recovery.seconds(),
                recovery.redoneSeconds());
    }

    private OptionalLong next(Done done) {
        return stage.watch.firstBeyond(done.mark(), done.notBefore());
    }

    private void awaitSteps(int more) {
        long until = stage.watch.step() + more;
        Waiting.until("step " + until, () -> stage.watch.step() >= until, stage);
    }

    /** Median time between the first updates of two steps. */
    static double undisturbed(List<TrainerWatch.Update> updates) {
        long[] starts =
                updates.stream()
                        .collect(
                                Collectors.toMap(
                                        TrainerWatch.Update::step,
                                        TrainerWatch.Update::at,
                                        Math::min,
                                        TreeMap::new))
                        .values()
                        .stream()
                        .mapToLong(Long::longValue)
                        .toArray();
        long[] gaps =
                LongStream.range(1, starts.length)
                        .map(i -> starts[(int) i] - starts[(int) i - 1])
                        .sorted()
                        .toArray();
        return gaps.length == 0 ? 0 : gaps[(gaps.length - 1) / 2] / 1000.0;
    }
}
