package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.Datum;
import dev.millrace.udfs.model.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares what a trainer was given with what it should have been: all attempts of a group that no
 * failure touched, and no other, weighted by the statistics of those alone.
 */
final class TrainedData {
    private static final double TOLERANCE = 1e-6;

    /**
     * An attempt of a closed group.
     *
     * @param touched whether a failure that is not the policy's touched it
     * @param reward what it is worth
     * @param trajectory null when nothing was sampled
     */
    record Attempt(
            String groupId,
            String attemptId,
            boolean touched,
            double reward,
            Trajectory trajectory) {}

    private final Map<String, Attempt> bySample = new HashMap<>();
    private final Map<String, List<Attempt>> untouched = new HashMap<>();

    TrainedData(List<Attempt> attempts) {
        for (Attempt attempt : attempts) {
            if (!attempt.touched()) {
                untouched.computeIfAbsent(attempt.groupId(), id -> new ArrayList<>()).add(attempt);
            }
            if (attempt.trajectory() != null) {
                bySample.put(sampled(attempt.trajectory()), attempt);
            }
        }
    }

    /** What is wrong about minibatches, in words; nothing when all is right. */
    List<String> violations(List<List<Datum>> minibatches) {
        List<String> wrong = new ArrayList<>();
        for (List<Datum> minibatch : minibatches) {
            Set<String> groups = new TreeSet<>();
            Set<String> present = new HashSet<>();
            long normaliser = 0;
            for (Datum datum : minibatch) {
                Attempt attempt = bySample.get(sampled(datum));
                if (attempt == null) {
                    wrong.add("a datum of no attempt");
                    continue;
                }
                groups.add(attempt.groupId());
                present.add(attempt.attemptId());
                normaliser += generated(attempt.trajectory());
                if (attempt.touched()) {
                    wrong.add(attempt.attemptId() + " was touched and is trained on");
                }
            }
            for (String group : groups) {
                untouched.getOrDefault(group, List.of()).stream()
                        .map(Attempt::attemptId)
                        .filter(id -> !present.contains(id))
                        .forEach(id -> wrong.add(id + " was not touched and is left out"));
            }
            for (Datum datum : minibatch) {
                Attempt attempt = bySample.get(sampled(datum));
                if (attempt != null && !weighs(datum, attempt, normaliser)) {
                    wrong.add(attempt.attemptId() + " has another weight");
                }
            }
        }
        return wrong;
    }

    private boolean weighs(Datum datum, Attempt attempt, long normaliser) {
        double advantage = advantage(attempt);
        for (int i = 0; i < datum.advantages().length; i++) {
            boolean counts = attempt.trajectory().mask()[i] != 0;
            double due = counts ? advantage / normaliser : 0;
            if (Math.abs(datum.advantages()[i] - due) > TOLERANCE) {
                return false;
            }
        }
        return true;
    }

    /** Of an attempt among those of its group that nothing touched. */
    private double advantage(Attempt attempt) {
        double[] rewards = rewards(attempt.groupId());
        double mean = mean(rewards);
        double squares = Arrays.stream(rewards).map(r -> (r - mean) * (r - mean)).sum();
        double deviation = rewards.length < 2 ? 0 : Math.sqrt(squares / (rewards.length - 1));
        return deviation == 0 ? 0 : (attempt.reward() - mean) / (deviation + 1e-6);
    }

    /** Mean reward of the attempts of a group that nothing touched; 0 of none. */
    double mean(String groupId) {
        return mean(rewards(groupId));
    }

    private static double mean(double[] rewards) {
        return Arrays.stream(rewards).average().orElse(0);
    }

    private double[] rewards(String groupId) {
        return untouched.getOrDefault(groupId, List.of()).stream()
                .mapToDouble(Attempt::reward)
                .toArray();
    }

    private static int generated(Trajectory trajectory) {
        int generated = 0;
        for (byte sampled : trajectory.mask()) {
            generated += sampled;
        }
        return generated;
    }

    /** Log-probabilities are drawn by the seed of the attempt: no two attempts have the same. */
    private static String sampled(Trajectory trajectory) {
        int length = trajectory.mask().length;
        while (length > 0 && trajectory.mask()[length - 1] == 0) {
            length--;
        }
        return Arrays.toString(Arrays.copyOf(trajectory.tokens(), length))
                + Arrays.toString(Arrays.copyOf(trajectory.logprobs(), length));
    }

    private static String sampled(Datum datum) {
        return Arrays.toString(datum.tokens()) + Arrays.toString(datum.behaviorLogprobs());
    }
}
