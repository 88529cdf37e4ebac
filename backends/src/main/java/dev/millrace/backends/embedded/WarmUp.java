package dev.millrace.backends.embedded;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Brings a policy to where rewards can teach it: it imitates demonstrations until the verifier's
 * mean reward on training tasks reaches a target. The number of updates is no substitute for the
 * measurement, since the reward after equally many differs from seed to seed.
 *
 * <p>If a measurement is above the target by more than the tolerance, the warm-up goes back to the
 * state of the measurement before and comes closer in single updates.
 */
public final class WarmUp {
    private final EmbeddedTrainer trainer;
    private final WarmUpSettings settings;
    private final SplittableRandom random;
    private final List<WarmUpResult.Probe> probes = new ArrayList<>();
    private int steps;
    private double likelihood;

    /**
     * @param trainer opens the session that is warmed up
     * @param settings how to
     */
    public WarmUp(EmbeddedTrainer trainer, WarmUpSettings settings) {
        this.trainer = trainer;
        this.settings = settings;
        random = new SplittableRandom(settings.seed());
    }

    /**
     * Warms up the trainer's initial policy. Blocks.
     *
     * @param name of the session; what is saved and published carries it
     * @param demonstrations of training tasks
     * @param probe plays training tasks
     */
    public WarmUpResult run(String name, List<Demonstration> demonstrations, RewardProbe probe) {
        if (demonstrations.isEmpty()) {
            throw new IllegalArgumentException("A warm-up needs demonstrations.");
        }
        long start = System.nanoTime();
        try (EmbeddedSession session = trainer.open(name, "")) {
            PolicyRef policy = approach(session, demonstrations, probe);
            double reward = probes.get(probes.size() - 1).reward();
            return new WarmUpResult(
                    steps,
                    demonstrations.size(),
                    reward,
                    reward >= settings.targetReward() - settings.tolerance(),
                    List.copyOf(probes),
                    (System.nanoTime() - start) / 1e9,
                    policy,
                    session.saveState("warm").join());
        }
    }

    private PolicyRef approach(
            EmbeddedSession session, List<Demonstration> demonstrations, RewardProbe probe) {
        imitate(session, demonstrations, settings.decaySteps());
        int stride = settings.stepsBetweenProbes();
        EmbeddedSession.Snapshot before = null;
        int stepsBefore = 0;
        while (true) {
            PolicyRef policy = publish(session);
            double reward = probe.measure(policy);
            probes.add(new WarmUpResult.Probe(steps, likelihood, reward));
            double excess = reward - settings.targetReward();
            boolean canComeCloser = before != null && stride > 1;
            if (excess > settings.tolerance() && canComeCloser) {
                session.rollBack(before).join();
                steps = stepsBefore;
                before = null;
                stride = 1;
            } else if (excess >= -settings.tolerance() || steps >= settings.maxSteps()) {
                return policy;
            } else {
                before = session.snapshot().join();
                stepsBefore = steps;
            }
            imitate(session, demonstrations, Math.min(stride, settings.maxSteps() - steps));
        }
    }

    private PolicyRef publish(EmbeddedSession session) {
        String uri = session.publish("probe" + probes.size() + "-step" + steps).join();
        return new PolicyRef(new PolicyVersion(0, 0), uri);
    }

    private void imitate(EmbeddedSession session, List<Demonstration> demonstrations, int count) {
        for (int i = 0; i < count; i++) {
            AdamSpec adam = new AdamSpec(learningRate(), 0.9, 0.95, 1e-8, 0, 1);
            List<Datum> batch = draw(demonstrations);
            LossResult loss = session.gather(batch, Objective.likelihood()).join();
            session.optimStep("warm-up-" + steps, adam).join();
            likelihood = Math.exp(-loss.loss() * loss.tokens() / settings.batch());
            steps++;
        }
    }

    /**
     * Low wherever the warm-up may end: a policy that is still moving fast there isn't sure of what
     * it was shown, and noise in the rewards could teach it that.
     */
    private double learningRate() {
        int decay = settings.decaySteps();
        return settings.learningRate() * (steps < decay ? 1 - 0.9 * steps / decay : 0.1);
    }

    /** Draws demonstrations, with repetition, each token of them with the same weight. */
    private List<Datum> draw(List<Demonstration> demonstrations) {
        List<Demonstration> drawn = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < settings.batch(); i++) {
            drawn.add(demonstrations.get(random.nextInt(demonstrations.size())));
            count += drawn.get(i).count();
        }
        List<Datum> data = new ArrayList<>();
        for (Demonstration demonstration : drawn) {
            float[] weights = new float[demonstration.tokens().length];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = demonstration.said()[i] ? 1f / count : 0f;
            }
            data.add(new Datum(demonstration.tokens(), weights, new float[weights.length]));
        }
        return data;
    }
}
