package dev.millrace.jobs.view;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The training groups of a run and what became of each. */
final class TrainingGroups {
    private static final int CURVE_POINTS = 24;

    private static final class Fate {
        private boolean admitted;
        private GroupRecord closed;

        /** Of each epoch its last word. */
        private final TreeMap<Long, ProgressRecord> said = new TreeMap<>();

        /** What counts of it, or null. */
        private ProgressRecord progress(Lineage lineage) {
            for (ProgressRecord word : said.descendingMap().values()) {
                if (lineage.counts(word)) {
                    return word;
                }
            }
            return null;
        }
    }

    private record Finished(double reward, boolean mixed) {}

    private final Map<String, Fate> fates = new HashMap<>();
    private final List<Finished> finished = new ArrayList<>();
    private final Map<PolicyVersion, ProgressRecord> balances = new TreeMap<>();
    private long unmixedInARow;
    private boolean trainerFailed;

    void admitted(String groupId) {
        fates.computeIfAbsent(groupId, id -> new Fate()).admitted = true;
    }

    boolean isClosed(String groupId) {
        Fate fate = fates.get(groupId);
        return fate != null && fate.closed != null;
    }

    /** Takes a closed group; returns false when the group was closed before. */
    boolean closed(GroupRecord group) {
        Fate fate = fates.computeIfAbsent(group.groupId(), id -> new Fate());
        if (fate.closed != null) {
            return false;
        }
        // Attempts are not kept: a long run has many groups.
        fate.closed = withoutAttempts(group);
        if (group.verdict().trains()) {
            unmixedInARow = 0;
        } else if (group.verdict() != Verdict.CANCELLED && saysSomething(group)) {
            unmixedInARow++;
        }
        if (group.verdict().trains() || group.verdict() == Verdict.CONSTANT) {
            finished.add(new Finished(group.rewardMean(), group.verdict() == Verdict.MIXED));
        }
        return true;
    }

    /** Not so of one that was not played, or that infrastructure damaged. */
    private static boolean saysSomething(GroupRecord group) {
        boolean damaged =
                group.verdict() == Verdict.FAILED
                        && group.attempts().stream()
                                .map(AttemptSummary::failure)
                                .anyMatch(f -> f != null && f.failureClass() == FailureClass.INFRA);
        return !damaged && !group.cause().equals(Failure.TASK_QUARANTINED);
    }

    /** Takes a balance, or what became of a group. */
    void progress(ProgressRecord progress) {
        if (progress.kind() == ProgressRecord.Kind.ACCOUNTS) {
            balances.putIfAbsent(new PolicyVersion(progress.epoch(), progress.step()), progress);
            return;
        }
        Fate fate = fates.computeIfAbsent(progress.groupId(), id -> new Fate());
        fate.said.put(progress.epoch(), progress);
    }

    /** What waits for a trainer that gave the run up is of no use, unless it comes back. */
    void trainer(PolicyRecord policy) {
        trainerFailed = policy.kind() == PolicyRecord.Kind.FAILED;
    }

    /** Groups closed since the last mixed one. */
    long unmixedInARow() {
        return unmixedInARow;
    }

    Accounts accounts(Lineage lineage) {
        long published = lineage.step();
        long trained = 0;
        long open = 0;
        Map<String, Long> dropped = new TreeMap<>();
        for (Fate fate : fates.values()) {
            ProgressRecord progress = fate.progress(lineage);
            String cause = dropCause(fate, progress);
            if (!cause.isEmpty()) {
                dropped.merge(cause, 1L, Long::sum);
            } else if (isTrained(progress, published)) {
                trained++;
            } else if (trainerFailed && fate.closed != null) {
                dropped.merge(GroupRecord.TRAINER_FAILED, 1L, Long::sum);
            } else {
                open++;
            }
        }
        return new Accounts(fates.size(), trained, dropped, open);
    }

    /**
     * What contradicts the accounts.
     *
     * @param complete whether everything was read that the run has written
     */
    List<String> violations(Lineage lineage, int groupsPerBatch, boolean complete) {
        GroupAudit audit = new GroupAudit(lineage.step(), groupsPerBatch);
        fates.forEach(
                (id, fate) -> audit.group(id, fate.admitted, fate.closed, fate.progress(lineage)));
        for (Lineage.Published published : lineage.line()) {
            ProgressRecord balance = balances.get(published.policy().version());
            if (balance != null) {
                audit.balance(balance);
            }
        }
        return audit.violations(complete);
    }

    Lag lag(Lineage lineage) {
        long published = lineage.step();
        long sum = 0;
        long max = 0;
        long groups = 0;
        for (Fate fate : fates.values()) {
            ProgressRecord progress = fate.progress(lineage);
            boolean trained =
                    fate.closed != null
                            && dropCause(fate, progress).isEmpty()
                            && isTrained(progress, published);
            if (trained) {
                long lag =
                        lineage.lag(
                                fate.closed.policy().version(), progress.epoch(), progress.step());
                sum += lag;
                max = Math.max(max, lag);
                groups++;
            }
        }
        return new Lag(groups == 0 ? 0 : (double) sum / groups, max, groups);
    }

    /** Mean reward over the last so many finished groups, the constant ones included. */
    OptionalDouble reward(int groups) {
        return last(groups).stream().mapToDouble(Finished::reward).average();
    }

    /** Mean reward over the first so many finished groups. */
    OptionalDouble firstReward(int groups) {
        return finished.stream().limit(groups).mapToDouble(Finished::reward).average();
    }

    /** Share of groups with different rewards, over the last so many finished groups. */
    OptionalDouble mixedRate(int groups) {
        return last(groups).stream().mapToDouble(group -> group.mixed() ? 1 : 0).average();
    }

    /** Mean rewards of equal stretches of the run so far, the oldest first. */
    List<Double> curve(int groupsPerBatch) {
        int size = finished.size();
        int points = Math.min(CURVE_POINTS, size / Math.max(1, groupsPerBatch));
        List<Double> curve = new ArrayList<>();
        for (int i = 0; i < points; i++) {
            int from = (int) ((long) size * i / points);
            int to = (int) ((long) size * (i + 1) / points);
            finished.subList(from, to).stream()
                    .mapToDouble(Finished::reward)
                    .average()
                    .ifPresent(curve::add);
        }
        return curve;
    }

    private List<Finished> last(int groups) {
        return finished.subList(Math.max(0, finished.size() - groups), finished.size());
    }

    private static boolean isTrained(ProgressRecord progress, long published) {
        return progress != null
                && progress.kind() == ProgressRecord.Kind.TAKEN
                && progress.step() + 1 <= published;
    }

    private static String dropCause(Fate fate, ProgressRecord progress) {
        if (fate.closed != null && !fate.closed.verdict().trains()) {
            return named(fate.closed.cause(), fate.closed.verdict().name());
        }
        return progress != null && progress.kind() == ProgressRecord.Kind.DROPPED
                ? named(progress.cause(), "DROPPED")
                : "";
    }

    private static String named(String cause, String otherwise) {
        return cause == null || cause.isEmpty() ? otherwise.toLowerCase(Locale.ROOT) : cause;
    }

    private static GroupRecord withoutAttempts(GroupRecord group) {
        return new GroupRecord(
                group.runId(),
                false,
                group.lane(),
                group.groupId(),
                group.groupIndex(),
                group.admissionId(),
                null,
                group.policy(),
                group.evalRound(),
                group.greedy(),
                group.verdict(),
                group.cause(),
                group.rewardMean(),
                List.of());
    }
}
