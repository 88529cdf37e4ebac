package dev.millrace.operators.train;

import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.udfs.minibatch.LearnInput;
import java.util.Map;
import java.util.TreeMap;

/** What the minibatches of one step measured, together. Numbers that aren't finite are left out. */
final class StepMetrics {
    private double loss;
    private double weightedKl;
    private double weightedClip;
    private double weightedEntropy;
    private long tokens;
    private double gradNorms;
    private long updates;
    private long skippedUpdates;
    private double rewardMeans;
    private double lagMeans;
    private long minibatches;
    private long droppedItems;

    void add(LearnInput input, TrainedMinibatch trained) {
        minibatches++;
        rewardMeans += input.minibatch().rewardMean();
        lagMeans += input.lagMean();
        droppedItems += trained.rejects().size();
        for (LossResult pass : trained.losses()) {
            loss += pass.loss();
            tokens += pass.tokens();
            weightedKl += pass.approximateKl() * pass.tokens();
            weightedClip += pass.clippedFraction() * pass.tokens();
            weightedEntropy += pass.entropy() * pass.tokens();
        }
        for (OptimResult update : trained.updates()) {
            updates++;
            skippedUpdates += update.skipped() ? 1 : 0;
            gradNorms += update.gradientNorm();
        }
    }

    /** By name, with how the time since the last step was spent. */
    Map<String, Double> named(BusyClock clock) {
        Map<String, Double> named = new TreeMap<>();
        named.put("loss", loss);
        named.put("kl", weightedKl / tokens);
        named.put("clipFraction", weightedClip / tokens);
        named.put("entropy", weightedEntropy / tokens);
        named.put("gradNorm", gradNorms / updates);
        named.put("rewardMean", rewardMeans / minibatches);
        named.put("lagMean", lagMeans / minibatches);
        named.put("tokens", (double) tokens);
        named.put("skippedUpdates", (double) skippedUpdates);
        named.put("droppedItems", (double) droppedItems);
        named.put("trainSeconds", clock.take(BusyClock.Doing.TRAINING) / 1000.0);
        named.put("storeSeconds", clock.take(BusyClock.Doing.STORING) / 1000.0);
        named.put("waitSeconds", clock.take(BusyClock.Doing.WAITING) / 1000.0);
        named.values().removeIf(value -> !Double.isFinite(value));
        return named;
    }
}
