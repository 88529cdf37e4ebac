package dev.millrace.bench.soak.verify;

import dev.millrace.bench.sim.SimTokens;
import dev.millrace.bench.soak.verify.Evidence.Journaled;
import dev.millrace.bench.soak.verify.TrainedHistory.Trained;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Judges a run by what is left of it. */
public final class Verifier {
    private static final String NOT_INTACT = "workspace_not_intact";

    private final Evidence evidence;
    private final Map<String, GroupRecord> groups = new LinkedHashMap<>();
    private final Map<String, Admission> admissions = new TreeMap<>();
    private final Map<String, String> attemptOfDatum = new HashMap<>();
    private final List<Trained> trained;

    private Verifier(Evidence evidence) {
        this.evidence = evidence;
        for (GroupRecord group : evidence.groups()) {
            if (!group.drained()) {
                groups.putIfAbsent(group.groupId(), group);
            }
        }
        for (Journaled journaled : evidence.events()) {
            Admission admission = journaled.event().admission();
            if (journaled.event().kind() == StepEvent.Kind.ADMITTED && admission != null) {
                admissions.put(admission.attemptId() + " " + admission.admissionId(), admission);
                attemptOfDatum.put(datum(admission), admission.attemptId());
            }
        }
        this.trained = new TrainedHistory(evidence.trainer()).of(finalWeights());
    }

    /** Judges. */
    public static Findings judge(Evidence evidence) {
        Verifier verifier = new Verifier(evidence);
        RepeatedCommands commands = RepeatedCommands.of(evidence);
        return new Findings(
                verifier.trained.stream().mapToLong(Trained::step).distinct().count(),
                verifier.lost(),
                verifier.trainedTwice(),
                verifier.wrongSteps(),
                verifier.trainedOtherwise(),
                verifier.lagViolations(),
                Leases.alive(evidence.sandboxes()),
                verifier.notIntact(),
                commands.repeated(),
                commands.most(),
                commands.replayed());
    }

    /** Where the weights lie that the run ended with. */
    private String finalWeights() {
        return evidence.policies().stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.PUBLICATION)
                .max(Comparator.comparing(PolicyRecord::version))
                .map(PolicyRecord::uri)
                .orElse("");
    }

    private List<String> lost() {
        Set<String> ended = new HashSet<>();
        groups.values().forEach(g -> g.attempts().forEach(a -> ended.add(a.attemptId())));
        Set<String> lost = new TreeSet<>();
        long last = -1;
        Set<Long> indices = new HashSet<>();
        for (Admission admission : admissions.values()) {
            if (!ended.contains(admission.attemptId())) {
                lost.add(admission.attemptId());
            }
            if (admission.lane() == Lane.TRAIN) {
                last = Math.max(last, admission.groupIndex());
            }
        }
        for (GroupRecord group : groups.values()) {
            if (group.lane() == Lane.TRAIN) {
                indices.add(group.groupIndex());
            }
        }
        for (long index = 0; index <= last; index++) {
            if (!indices.contains(index)) {
                lost.add("group index " + index);
            }
        }
        return List.copyOf(lost);
    }

    private List<String> trainedTwice() {
        Map<String, List<String>> where = new TreeMap<>();
        for (Trained minibatch : trained) {
            for (String datum : minibatch.data()) {
                where.computeIfAbsent(datum, d -> new ArrayList<>()).add(place(minibatch));
            }
        }
        List<String> twice = new ArrayList<>();
        where.forEach(
                (datum, places) -> {
                    if (places.size() > 1) {
                        twice.add(attemptOfDatum.getOrDefault(datum, datum) + " at " + places);
                    }
                });
        return twice;
    }

    private List<String> wrongSteps() {
        List<String> wanted = new ArrayList<>();
        for (long step = 0; step < evidence.promises().steps(); step++) {
            for (int m = 0; m < evidence.promises().minibatchesPerStep(); m++) {
                wanted.add("s" + step + ".m" + m);
            }
        }
        List<String> found =
                trained.stream().map(t -> "s" + t.step() + ".m" + t.minibatch()).toList();
        if (found.equals(wanted)) {
            return List.of();
        }
        List<String> missing = new ArrayList<>(wanted);
        missing.removeAll(found);
        return missing.isEmpty()
                ? List.of("not in order or more than once: " + found)
                : List.copyOf(missing);
    }

    /** Compares what was said to be taken with what the final weights hold. */
    private List<String> trainedOtherwise() {
        Map<String, Long> stepOfAttempt = new HashMap<>();
        for (Trained minibatch : trained) {
            for (String datum : minibatch.data()) {
                stepOfAttempt.put(attemptOfDatum.getOrDefault(datum, datum), minibatch.step());
            }
        }
        Map<String, ProgressRecord> said = said();
        Set<String> wrong = new TreeSet<>();
        for (GroupRecord group : groups.values()) {
            ProgressRecord fate = said.get(group.groupId());
            boolean taken = fate != null && fate.kind() == ProgressRecord.Kind.TAKEN;
            for (AttemptSummary attempt : group.attempts()) {
                Long step = stepOfAttempt.remove(attempt.attemptId());
                boolean due = taken && attempt.valid() && attempt.generatedTokens() > 0;
                if (due != (step != null) || (due && step != fate.step())) {
                    wrong.add(
                            attempt.attemptId()
                                    + (due ? " is due in step " + fate.step() : " is not due")
                                    + (step == null ? ", not trained" : ", trained in " + step));
                }
            }
        }
        stepOfAttempt.forEach((id, step) -> wrong.add(id + " is in no group, trained in " + step));
        return List.copyOf(wrong);
    }

    /** The last word about each group, of those in the history of the newest epoch. */
    private Map<String, ProgressRecord> said() {
        Lineage lineage = lineage();
        Map<String, ProgressRecord> said = new HashMap<>();
        for (ProgressRecord record : evidence.progress()) {
            if (record.kind() != ProgressRecord.Kind.DRAINED && lineage.counts(record)) {
                said.merge(record.groupId(), record, (a, b) -> b.epoch() >= a.epoch() ? b : a);
            }
        }
        return said;
    }

    private Lineage lineage() {
        Lineage lineage = new Lineage();
        evidence.policies().stream()
                .filter(p -> p.kind() == PolicyRecord.Kind.ANNOUNCE)
                .forEach(lineage::add);
        return lineage;
    }

    private List<String> lagViolations() {
        Lineage lineage = lineage();
        Set<String> violations = new TreeSet<>();
        for (Trained minibatch : trained) {
            PolicyVersion current = new PolicyVersion(minibatch.epoch(), minibatch.step());
            for (String datum : minibatch.data()) {
                PolicyVersion played = played(attemptOfDatum.getOrDefault(datum, datum));
                if (played != null && lineage.lag(current, played) > evidence.promises().maxLag()) {
                    violations.add(
                            attemptOfDatum.get(datum)
                                    + " played at "
                                    + played
                                    + ", trained at "
                                    + current);
                }
            }
        }
        return List.copyOf(violations);
    }

    /** The oldest version that the attempt of a closed group was played at. */
    private PolicyVersion played(String attemptId) {
        GroupRecord group =
                groups.get(attemptId.substring(0, Math.max(0, attemptId.lastIndexOf("/a"))));
        if (group == null) {
            return null;
        }
        return group.attempts().stream()
                .filter(a -> a.attemptId().equals(attemptId))
                .map(AttemptSummary::oldestVersion)
                .findFirst()
                .orElse(group.policy().version());
    }

    private List<String> notIntact() {
        List<String> broken = new ArrayList<>();
        for (GroupRecord group : groups.values()) {
            for (AttemptSummary attempt : group.attempts()) {
                if (attempt.flags() != null && attempt.flags().contains(NOT_INTACT)) {
                    broken.add(attempt.attemptId());
                }
            }
        }
        return broken;
    }

    private static String datum(Admission admission) {
        return SimTokens.name(Seeds.ofTurn(admission.seed(), 0));
    }

    private static String place(Trained minibatch) {
        return "e" + minibatch.epoch() + ".s" + minibatch.step() + ".m" + minibatch.minibatch();
    }
}
