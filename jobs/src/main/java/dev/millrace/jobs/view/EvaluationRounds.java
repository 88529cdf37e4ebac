package dev.millrace.jobs.view;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The evaluation rounds of a run. */
final class EvaluationRounds {

    private record Key(PolicyVersion version, boolean greedy) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::version).thenComparing(Key::greedy);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private static final class Sums {
        private String name = "";
        private long tasks;
        private long valid;
        private long invalid;
        private double reward;
    }

    private final int expectedTasks;
    private final Set<String> groups = new HashSet<>();
    private final Map<Key, Sums> rounds = new TreeMap<>();

    EvaluationRounds(int expectedTasks) {
        this.expectedTasks = expectedTasks;
    }

    boolean isClosed(String groupId) {
        return groups.contains(groupId);
    }

    /** Takes a closed evaluation group; nothing when its id was closed before. */
    Optional<EvalRound> closed(GroupRecord group) {
        if (!groups.add(group.groupId())) {
            return Optional.empty();
        }
        Key key = new Key(group.policy().version(), group.greedy());
        Sums sums = rounds.computeIfAbsent(key, k -> new Sums());
        sums.name = group.evalRound();
        sums.tasks++;
        for (AttemptSummary attempt : group.attempts()) {
            if (attempt.valid()) {
                sums.valid++;
                sums.reward += attempt.reward();
            } else {
                sums.invalid++;
            }
        }
        return Optional.of(round(key, sums));
    }

    /** All rounds, by version, sampled before greedy. */
    List<EvalRound> rounds() {
        List<EvalRound> all = new ArrayList<>();
        rounds.forEach((key, sums) -> all.add(round(key, sums)));
        return all;
    }

    private EvalRound round(Key key, Sums sums) {
        Optional<Interval> reward =
                sums.valid == 0
                        ? Optional.empty()
                        : Optional.of(Interval.wilson(sums.reward, sums.valid));
        return new EvalRound(
                sums.name,
                key.version(),
                key.greedy(),
                sums.tasks,
                expectedTasks,
                reward,
                sums.invalid);
    }
}
