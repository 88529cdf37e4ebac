package dev.millrace.backends.embedded;

import dev.millrace.backends.exampletasks.Counts;
import dev.millrace.backends.exampletasks.ExampleTask;
import dev.millrace.backends.exampletasks.ExampleTasks;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.udfs.model.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Searches for settings of the demo with simulated sandboxes and validation tasks. Its figures
 * guide a choice; they are no results.
 */
public final class Tuning {
    private static final GradientEngine ENGINE = new GradientEngine();
    private final long seed = Long.getLong("seed", 1);
    private final Random random = new Random(seed * 31 + 5);
    private final List<ExampleTask> train = new ArrayList<>();
    private final List<ExampleTask> validation = new ArrayList<>();
    private final Weights weights;
    private Adam adam;
    private final List<ExampleTask> order = new ArrayList<>();
    private long attempts;

    private Tuning() {
        List<ExampleTask> tasks =
                ExampleTasks.generate(
                        Long.getLong("taskseed", 1),
                        new Counts(Integer.getInteger("train", 400), 40, 40));
        for (ExampleTask task : tasks) {
            if (task.split() == Split.TRAIN) {
                train.add(task);
            } else if (task.split() == Split.VALIDATION) {
                validation.add(task);
            }
        }
        ModelShape shape =
                new ModelShape(
                        TurnRenderer.vocabularySize(),
                        Integer.getInteger("width", 64),
                        Integer.getInteger("layers", 2),
                        4);
        weights = Weights.random(shape, seed);
        adam = Adam.fresh(shape);
        System.out.printf(
                "seed %d vocabulary %d weights %d%n", seed, shape.vocabulary(), weights.count());
    }

    public static void main(String[] args) {
        Tuning tuning = new Tuning();
        if (Boolean.getBoolean("measure")) {
            tuning.measure();
            return;
        }
        long start = System.nanoTime();
        tuning.warmUp();
        System.out.printf("warm-up took %.1f s%n", (System.nanoTime() - start) / 1e9);
        tuning.learn();
        System.out.printf(
                "all took %.1f s, %d attempts%n",
                (System.nanoTime() - start) / 1e9, tuning.attempts);
        System.exit(0);
    }

    private static double setting(String name, double fallback) {
        return Double.parseDouble(System.getProperty(name, Double.toString(fallback)));
    }

    private static AdamSpec spec(double rate) {
        return new AdamSpec(rate, 0.9, 0.95, 1e-8, 0, 1);
    }

    private void warmUp() {
        List<SimulatedRollout.Attempt> demonstrations = new ArrayList<>();
        for (DemonstrationPlan plan :
                DemonstrationPlan.draw(
                        train.stream().map(ExampleTask::repair).toList(),
                        Integer.getInteger("demos", 400),
                        setting("hasty", 0.55),
                        seed)) {
            demonstrations.add(
                    SimulatedRollout.demonstrate(
                            train.get(plan.task()), plan.commands().toArray(new String[0])));
        }
        double target = setting("target", 0.36);
        int every = Integer.getInteger("probe", 10);
        for (int step = 1; step <= Integer.getInteger("bc", 120); step++) {
            List<SimulatedRollout.Attempt> batch = new ArrayList<>();
            int said = 0;
            for (int i = 0; i < 32; i++) {
                SimulatedRollout.Attempt demonstration =
                        demonstrations.get(random.nextInt(demonstrations.size()));
                batch.add(demonstration);
                said += demonstration.said();
            }
            LossResult loss =
                    update(
                            batch,
                            said,
                            Objective.likelihood(),
                            setting("bclr", 2e-3)
                                    * (1
                                            - setting("bcdecay", 0.9)
                                                    * step
                                                    / Integer.getInteger("bc", 120)));
            if (step % every == 0 && step >= Integer.getInteger("first", 80)) {
                double reward = mean(train.subList(0, 60), 1, 1, step);
                System.out.printf(
                        "bc %d loss %.3f train %.3f validation %s%n",
                        step, loss.loss(), reward, evaluate(1, 1, step));
                if (reward >= target) {
                    return;
                }
            }
        }
    }

    /** Tokens a second of processor time, which other load does not change. */
    private void measure() {
        java.lang.management.ThreadMXBean threads =
                java.lang.management.ManagementFactory.getThreadMXBean();
        ServedPolicy policy = ServedPolicy.of(weights);
        List<Datum> data = new ArrayList<>();
        long read = 0;
        for (int i = 0; i < 96; i++) {
            ExampleTask task = train.get(i);
            SimulatedRollout.Attempt attempt =
                    SimulatedRollout.demonstrate(task, "ls", "cat *", task.repair(), "exit");
            data.add(attempt.datum(0.001));
            read += attempt.tokens().length;
        }
        for (int round = 0; round < 4; round++) {
            long start = threads.getCurrentThreadCpuTime();
            for (Datum datum : data) {
                Inference inference = new Inference(policy);
                for (int i = 1; i <= datum.tokens().length; i++) {
                    inference.read(java.util.Arrays.copyOf(datum.tokens(), i), i - 1);
                }
            }
            long sampled = threads.getCurrentThreadCpuTime();
            for (Datum datum : data) {
                new Inference(policy).read(datum.tokens(), 0);
            }
            long prompts = threads.getCurrentThreadCpuTime();
            ENGINE.accumulate(
                    weights,
                    data,
                    Objective.clipped(new LossSpec(0.8, 1.28)),
                    Weights.zeros(weights.shape()));
            long trained = threads.getCurrentThreadCpuTime();
            System.out.printf(
                    "tokens a processor second: one at a time %.0f, prompts %.0f, training %.0f%n",
                    read * 1e9 / (sampled - start),
                    read * 1e9 / (prompts - sampled),
                    read * 1e9 / (trained - prompts));
        }
    }

    private LossResult update(
            List<SimulatedRollout.Attempt> batch, int said, Objective objective, double rate) {
        List<Datum> data = batch.stream().map(a -> a.datum(1.0 / said)).toList();
        Weights gradient = Weights.zeros(weights.shape());
        LossResult loss = ENGINE.accumulate(weights, data, objective, gradient);
        adam = adam.update(weights, gradient, spec(rate));
        return loss;
    }

    private double mean(List<ExampleTask> tasks, double temperature, int each, long salt) {
        ServedPolicy policy = ServedPolicy.of(weights);
        double solved = 0;
        for (int i = 0; i < tasks.size(); i++) {
            for (int k = 0; k < each; k++) {
                long draw =
                        seed * 1_000_003
                                + salt * 7919
                                + k
                                + ((long) tasks.get(i).id().hashCode() << 20);
                solved += played(policy, tasks.get(i), temperature, draw).solved() ? 1 : 0;
            }
        }
        return solved / (tasks.size() * each);
    }

    private SimulatedRollout.Attempt played(
            ServedPolicy policy, ExampleTask task, double temperature, long draw) {
        ExampleTask seen = task;
        if (Boolean.getBoolean("blind")) {
            seen = train.get(new Random(draw).nextInt(train.size()));
        }
        return SimulatedRollout.play(policy, task, seen, temperature, draw);
    }

    private String evaluate(double temperature, int each, long salt) {
        Map<String, List<ExampleTask>> families = new TreeMap<>();
        for (ExampleTask task : validation) {
            families.computeIfAbsent(task.family(), f -> new ArrayList<>()).add(task);
        }
        StringBuilder line = new StringBuilder();
        double sum = 0;
        for (Map.Entry<String, List<ExampleTask>> family : families.entrySet()) {
            double reward = mean(family.getValue(), temperature, each, salt);
            sum += reward * family.getValue().size();
            line.append(
                    String.format(
                            Locale.ROOT, " %s %.2f", family.getKey().substring(0, 4), reward));
        }
        return String.format(Locale.ROOT, "%.3f |%s", sum / validation.size(), line);
    }

    /** Mean probability of each token of a careful demonstration's repair, by family. */
    private void showLeaks() {
        ServedPolicy policy = ServedPolicy.of(weights);
        Map<String, double[]> sums = new TreeMap<>();
        for (ExampleTask task : validation) {
            SimulatedRollout.Attempt shown =
                    SimulatedRollout.demonstrate(task, "ls", "cat *", task.repair(), "exit");
            float[] logprobs = new Inference(policy).logprobs(shown.tokens());
            double[] sum = sums.computeIfAbsent(task.family(), f -> new double[40]);
            int at = 0;
            for (int i = 1; i < logprobs.length; i++) {
                if (!Float.isNaN(shown.logprobs()[i])) {
                    sum[at++] += Math.exp(logprobs[i]) / 8;
                }
            }
        }
        sums.forEach(
                (family, sum) -> {
                    StringBuilder line = new StringBuilder("leaks " + family.substring(0, 4));
                    for (double value : sum) {
                        line.append(value == 0 ? "" : String.format(Locale.ROOT, " %.2f", value));
                    }
                    System.out.println(line);
                });
    }

    private void learn() {
        int steps = Integer.getInteger("steps", 60);
        int evalEvery = Integer.getInteger("eval", 10);
        Weights lagged = weights.copy();
        report("step 0");
        for (int step = 1; step <= steps; step++) {
            ServedPolicy policy = ServedPolicy.of(lagged);
            lagged = weights.copy();
            Batch batch = playBatch(policy);
            LossResult loss = optimise(batch.mixed(), batch.advantages());
            if (step % evalEvery == 0) {
                report(
                        String.format(
                                Locale.ROOT,
                                "step %d attempts %d train %.3f mixed %d kl %.4f entropy %.3f",
                                step,
                                attempts,
                                batch.reward(),
                                batch.mixed().size(),
                                loss.approximateKl(),
                                loss.entropy()));
            }
        }
    }

    private void report(String head) {
        System.out.printf(
                "%s validation %s; greedy %s%n",
                head, evaluate(1, 4, attempts), evaluate(0, 1, attempts));
        showLeaks();
    }

    /** Groups with mixed rewards, the advantages of their attempts, and the mean of all rewards. */
    private record Batch(
            List<List<SimulatedRollout.Attempt>> mixed, List<Double> advantages, double reward) {}

    private Batch playBatch(ServedPolicy policy) {
        int groups = Integer.getInteger("groups", 12);
        int size = Integer.getInteger("size", 8);
        List<List<SimulatedRollout.Attempt>> mixed = new ArrayList<>();
        List<Double> advantages = new ArrayList<>();
        double sum = 0;
        for (int g = 0; g < groups; g++) {
            ExampleTask task = nextTask();
            List<SimulatedRollout.Attempt> group = new ArrayList<>();
            double[] rewards = new double[size];
            for (int i = 0; i < size; i++) {
                group.add(played(policy, task, 1, random.nextLong()));
                rewards[i] = group.get(i).solved() ? 1 : 0;
                attempts++;
            }
            if (Boolean.getBoolean("shuffle")) {
                shuffle(rewards);
            }
            double mean = average(rewards);
            sum += mean;
            if (mean > 0 && mean < 1) {
                mixed.add(group);
                double deviation = deviation(rewards, mean);
                for (double reward : rewards) {
                    advantages.add((reward - mean) / (deviation + 1e-6));
                }
            }
        }
        return new Batch(mixed, advantages, sum / groups);
    }

    private ExampleTask nextTask() {
        if (order.isEmpty()) {
            order.addAll(train);
            Collections.shuffle(order, random);
        }
        return order.remove(order.size() - 1);
    }

    private LossResult optimise(
            List<List<SimulatedRollout.Attempt>> mixed, List<Double> advantages) {
        Objective objective = Objective.clipped(new LossSpec(0.8, 1.28));
        int minibatches = Math.min(Integer.getInteger("minibatches", 1), mixed.size());
        LossResult last = new LossTotals().result();
        for (int pass = 0; pass < Integer.getInteger("passes", 1); pass++) {
            for (int m = 0; m < minibatches; m++) {
                int said = 0;
                for (int g = m; g < mixed.size(); g += minibatches) {
                    said += mixed.get(g).stream().mapToInt(a -> a.said()).sum();
                }
                List<Datum> data = new ArrayList<>();
                for (int g = m; g < mixed.size(); g += minibatches) {
                    for (int i = 0; i < mixed.get(g).size(); i++) {
                        double advantage = advantages.get(g * mixed.get(g).size() + i);
                        data.add(mixed.get(g).get(i).datum(advantage / said));
                    }
                }
                Weights gradient = Weights.zeros(weights.shape());
                last = ENGINE.accumulate(weights, data, objective, gradient);
                adam =
                        adam.update(
                                weights,
                                gradient,
                                spec(
                                        setting("lr", 5e-4)
                                                * Math.max(
                                                        setting("floor", 1),
                                                        1 - attempts / setting("horizon", 6000))));
            }
        }
        return last;
    }

    private void shuffle(double[] rewards) {
        for (int i = rewards.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double kept = rewards[i];
            rewards[i] = rewards[j];
            rewards[j] = kept;
        }
    }

    private static double average(double[] rewards) {
        double sum = 0;
        for (double reward : rewards) {
            sum += reward;
        }
        return sum / rewards.length;
    }

    private static double deviation(double[] rewards, double mean) {
        double squares = 0;
        for (double reward : rewards) {
            squares += (reward - mean) * (reward - mean);
        }
        return Math.sqrt(squares / (rewards.length - 1));
    }
}
