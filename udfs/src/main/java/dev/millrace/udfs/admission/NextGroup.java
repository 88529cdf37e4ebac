package dev.millrace.udfs.admission;

import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.Map;

/** Which group begins next, and whether it may. */
final class NextGroup {
    private final AdmissionSettings settings;
    private final AdmissionState state;
    private final Sources sources;
    private final Limits limits;

    NextGroup(AdmissionSettings settings, AdmissionState state, Sources sources, Limits limits) {
        this.settings = settings;
        this.state = state;
        this.sources = sources;
        this.limits = limits;
    }

    /** Where groups come from. */
    record Sources(
            Catalogue catalogue, TrainingGroups training, EvalRounds rounds, Lineage lineage) {}

    /** What keeps groups from beginning. */
    record Limits(
            Playing playing, TaskQuarantine quarantine, OutagePause outage, TrainingEnd end) {}

    /** Whether one may, as soon as a slot is free. */
    boolean mayBegin() {
        boolean held = limits.outage().away() && limits.outage().holds(isPlaying());
        return state.newest != null && !held && (evaluationMayBegin() || trainingMayBegin());
    }

    /** Takes the one that is due, of those that {@link #mayBegin}. */
    GroupEntry begin(String admissionId) {
        return evaluationMayBegin() ? nextEvaluation(admissionId) : nextTraining(admissionId);
    }

    /** If all tasks of the catalogue are closed they are played: the run must not stand still. */
    boolean refuses(GroupEntry due) {
        return limits.quarantine().closed(due.task.taskId())
                && (due.lane == Lane.EVAL
                        || sources.catalogue().hasAnotherThan(limits.quarantine()::closed))
                && limits.quarantine().refuse(due);
    }

    private boolean isPlaying() {
        return state.groups.values().stream().anyMatch(entry -> !entry.closed);
    }

    private boolean trainingMayBegin() {
        return sources.catalogue().hasNext() && roomForTraining();
    }

    /** Whether pacing lets a training group begin, as soon as a slot is free. */
    boolean roomForTraining() {
        boolean open = !limits.end().reached() && sources.rounds().firstDone();
        if (!open || !servable()) {
            return false;
        }
        Map<Fate.Stage, Long> stages = sources.training().stages();
        long mixed = stages.get(Fate.Stage.WAITING) + stages.get(Fate.Stage.TAKEN);
        long wanted = (settings.steps() - state.newest.step()) * settings.groupsPerBatch();
        boolean withinLag = mixed + stages.get(Fate.Stage.OPEN) < settings.openGroupLimit();
        return withinLag && mixed < wanted;
    }

    /** Whether the newest version is not already too old for an epoch that was announced since. */
    private boolean servable() {
        long epoch = sources.lineage().newestEpoch();
        if (epoch <= state.newest.epoch()) {
            return true;
        }
        PolicyVersion start = new PolicyVersion(epoch, sources.lineage().forkStep(epoch));
        return sources.lineage().lag(start, state.newest.version()) <= settings.maxLag();
    }

    private boolean evaluationMayBegin() {
        if (state.trainerFailed() || sources.rounds().next().isEmpty()) {
            return false;
        }
        boolean alone = !sources.rounds().firstDone() || limits.end().reached();
        return alone || limits.playing().occupied(Lane.EVAL) < settings.evalSlots();
    }

    private GroupEntry nextTraining(String admissionId) {
        while (state.groups.containsKey(sources.training().id(state.nextIndex))) {
            state.nextIndex++;
        }
        long index = state.nextIndex++;
        GroupEntry entry =
                GroupEntry.admitted(
                        Lane.TRAIN,
                        sources.training().id(index),
                        index,
                        admissionId,
                        settings.groupSize());
        entry.task = sources.catalogue().next(index);
        entry.policy = state.newest.ref();
        entry.temperature = settings.temperature();
        state.groups.put(entry.groupId, entry);
        return entry;
    }

    private GroupEntry nextEvaluation(String admissionId) {
        EvalRound round = sources.rounds().next().orElseThrow();
        int position = sources.rounds().nextPosition(round);
        boolean greedy = sources.rounds().greedy(position);
        GroupEntry entry =
                GroupEntry.admitted(
                        Lane.EVAL,
                        sources.rounds().id(round, position),
                        sources.rounds().index(round, position),
                        admissionId,
                        greedy ? 1 : settings.evalAttempts());
        entry.task = sources.rounds().task(position);
        entry.policy = round.policy;
        entry.temperature = greedy ? 0 : 1;
        entry.evalRound = round.name();
        round.admitted.add(position);
        state.touch(round);
        state.groups.put(entry.groupId, entry);
        return entry;
    }
}
