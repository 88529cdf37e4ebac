package dev.millrace.udfs.admission;

import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which attempts hold rollout slots, and where they are played. */
final class Playing {
    private final AdmissionSettings settings;
    private final AdmissionState state;

    Playing(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
    }

    int occupied() {
        return occupied(Lane.TRAIN) + occupied(Lane.EVAL);
    }

    int occupied(Lane lane) {
        int open = 0;
        for (GroupEntry entry : state.groups.values()) {
            if (entry.lane == lane) {
                open += entry.openSlots();
            }
        }
        return open;
    }

    /**
     * Gives out all attempts of a group. One that is in the journal keeps its route; the others go
     * where the fewest are open.
     *
     * @param others attempts that other runs play, by route
     */
    List<Admission> start(GroupEntry entry, Map<String, Integer> others) {
        entry.emit = false;
        state.touch(entry);
        Map<String, Integer> load = load(others);
        List<Admission> admissions = new ArrayList<>();
        for (int attempt = 0; attempt < entry.attempts.size(); attempt++) {
            AttemptSlot slot = entry.attempts.get(attempt);
            if (slot.route.isEmpty()) {
                slot.occupy(leastLoaded(load), entry.admissionId);
                load.merge(slot.route, 1, Integer::sum);
            }
            admissions.add(admission(entry, attempt, slot.route));
        }
        return admissions;
    }

    /** The first admission of an attempt in the journal is the one that is played. */
    void journaled(GroupEntry entry, Admission admission) {
        if (entry.released) {
            return;
        }
        entry.room(admission.attemptIndex() + 1);
        AttemptSlot slot = entry.attempts.get(admission.attemptIndex());
        if (slot.journaled || slot.ended) {
            return;
        }
        slot.journaled = true;
        slot.occupy(admission.route(), admission.admissionId());
        boolean answered =
                entry.closed
                        && entry.answeredAdmission.equals(admission.admissionId())
                        && entry.answered.contains(admission.attemptIndex());
        if (answered) {
            slot.end();
        }
        entry.release();
    }

    /** Attempts that a closed group has an answer from hold nothing any more. */
    void answered(GroupEntry entry, GroupRecord group) {
        entry.answeredAdmission = group.admissionId();
        for (AttemptSummary summary : group.attempts()) {
            if (!missing(summary)) {
                entry.answered.add(summary.attemptIndex());
                endAnswered(entry, summary.attemptIndex());
            }
        }
        entry.release();
    }

    /** Ends the attempt that an event is about, at a failure only once it may fail no more. */
    void ended(GroupEntry entry, StepEvent event) {
        for (int i = 0; i < entry.attempts.size(); i++) {
            AttemptSlot slot = entry.attempts.get(i);
            boolean meant =
                    event.itemId().equals(Admission.attemptId(entry.groupId, i))
                            && event.admissionId().equals(slot.admissionId);
            if (meant && forGood(slot, event)) {
                slot.end();
            }
        }
        entry.release();
    }

    private boolean forGood(AttemptSlot slot, StepEvent event) {
        return event.kind() != StepEvent.Kind.FAILED
                || ++slot.failures >= settings.budget().maxTries();
    }

    private void endAnswered(GroupEntry entry, int attempt) {
        if (attempt < entry.attempts.size()) {
            AttemptSlot slot = entry.attempts.get(attempt);
            if (slot.admissionId.equals(entry.answeredAdmission)) {
                slot.end();
            }
        }
    }

    /** Whether a group was closed without this attempt, which may play on. */
    private static boolean missing(AttemptSummary summary) {
        return summary.outcome() == Outcome.LOST
                && summary.failure() != null
                && summary.failure().cause().equals(GroupVerdict.MISSING_AT_DEADLINE);
    }

    /** Open attempts by route, together with those of others. */
    Map<String, Integer> load(Map<String, Integer> others) {
        Map<String, Integer> load = new LinkedHashMap<>();
        settings.routes().forEach(route -> load.put(route, others.getOrDefault(route, 0)));
        for (GroupEntry entry : state.groups.values()) {
            for (AttemptSlot slot : entry.attempts) {
                if (slot.open) {
                    load.computeIfPresent(slot.route, (route, open) -> open + 1);
                }
            }
        }
        return load;
    }

    private static String leastLoaded(Map<String, Integer> load) {
        String best = null;
        for (Map.Entry<String, Integer> route : load.entrySet()) {
            if (best == null || route.getValue() < load.get(best)) {
                best = route.getKey();
            }
        }
        return best;
    }

    private Admission admission(GroupEntry entry, int attempt, String route) {
        return new Admission(
                settings.runId(),
                entry.lane,
                entry.groupId,
                entry.index,
                entry.admissionId,
                entry.attempts.size(),
                attempt,
                route,
                entry.task,
                entry.policy,
                entry.temperature,
                seed(entry, attempt),
                entry.evalRound,
                settings.budget());
    }

    /** All rounds of evaluation draw alike, so that only the policy makes their results differ. */
    private long seed(GroupEntry entry, int attempt) {
        String name = entry.groupId;
        if (entry.lane == Lane.EVAL) {
            name = Lane.EVAL + name.substring(name.lastIndexOf('/'));
        }
        return Seeds.ofAttempt(settings.runSeed(), name, attempt);
    }
}
