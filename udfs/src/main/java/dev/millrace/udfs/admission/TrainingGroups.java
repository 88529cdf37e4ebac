package dev.millrace.udfs.admission;

import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where the training groups stand, and whether the books balance. */
final class TrainingGroups {
    /** Groups of steps that far behind the newest publication leave the book. */
    static final long KEPT_STEPS = 64;

    private final AdmissionSettings settings;
    private final AdmissionState state;
    private final Lineage lineage;

    TrainingGroups(AdmissionSettings settings, AdmissionState state, Lineage lineage) {
        this.settings = settings;
        this.state = state;
        this.lineage = lineage;
    }

    String id(long index) {
        return settings.runId() + "/g" + index;
    }

    /** How many kept groups stand at each stage. */
    Map<Fate.Stage, Long> stages() {
        Map<Fate.Stage, Long> counts = new EnumMap<>(Fate.Stage.class);
        for (Fate.Stage stage : Fate.Stage.values()) {
            counts.put(stage, 0L);
        }
        for (GroupEntry entry : state.groups.values()) {
            if (entry.lane == Lane.TRAIN) {
                counts.merge(fate(entry).stage(), 1L, Long::sum);
            }
        }
        return counts;
    }

    Fate fate(GroupEntry entry) {
        if (!entry.closed) {
            return Fate.of(Fate.Stage.OPEN);
        }
        if (entry.verdict != Verdict.MIXED) {
            return Fate.dropped(entry.cause);
        }
        ProgressRecord report = entry.report;
        if (report == null || !survives(report)) {
            return Fate.of(Fate.Stage.WAITING);
        }
        if (report.kind() == ProgressRecord.Kind.DROPPED) {
            return Fate.dropped(report.cause());
        }
        PolicyVersion holding = new PolicyVersion(report.epoch(), report.step() + 1);
        boolean trained = state.newest != null && lineage.contains(state.newest.version(), holding);
        return Fate.of(trained ? Fate.Stage.TRAINED : Fate.Stage.TAKEN);
    }

    /** Lets go of groups that nothing can happen to any more, from the oldest on. */
    void settle() {
        GroupEntry oldest = state.groups.get(id(state.settledBelow));
        while (oldest != null && settled(oldest)) {
            Fate fate = fate(oldest);
            if (fate.stage() == Fate.Stage.TRAINED) {
                state.settledTrained++;
            } else {
                state.settledDropped.merge(fate.cause(), 1L, Long::sum);
            }
            state.groups.remove(oldest.groupId);
            state.settledBelow++;
            oldest = state.groups.get(id(state.settledBelow));
        }
        state.nextIndex = Math.max(state.nextIndex, state.settledBelow);
    }

    /**
     * The balance.
     *
     * @throws IllegalStateException naming groups that are missing or contradict themselves
     */
    Accounts accounts() {
        Map<String, Long> dropped = new TreeMap<>(state.settledDropped);
        long trained = state.settledTrained;
        long open = 0;
        List<String> wrong = new ArrayList<>();
        long kept = 0;
        for (GroupEntry entry : state.groups.values()) {
            if (entry.lane != Lane.TRAIN) {
                continue;
            }
            kept++;
            Fate fate = fate(entry);
            if (contradicts(entry)) {
                wrong.add(entry.groupId + " is " + entry.verdict + " but was taken");
            }
            switch (fate.stage()) {
                case TRAINED -> trained++;
                case DROPPED -> dropped.merge(fate.cause(), 1L, Long::sum);
                default -> open++;
            }
        }
        for (long index = state.settledBelow; index < state.nextIndex; index++) {
            if (!state.groups.containsKey(id(index))) {
                wrong.add(id(index) + " was offered but is unknown");
            }
        }
        Accounts accounts = new Accounts(state.settledBelow + kept, trained, dropped, open);
        boolean balanced =
                accounts.offered() == accounts.trained() + accounts.droppedTotal() + open;
        if (!wrong.isEmpty() || !balanced) {
            throw new IllegalStateException(
                    "The accounts do not balance: " + accounts + "; " + String.join(", ", wrong));
        }
        return accounts;
    }

    private boolean contradicts(GroupEntry entry) {
        return entry.closed
                && entry.verdict != Verdict.MIXED
                && entry.report != null
                && entry.report.kind() == ProgressRecord.Kind.TAKEN;
    }

    private boolean settled(GroupEntry entry) {
        if (entry.openSlots() > 0 || !fate(entry).counted()) {
            return false;
        }
        boolean byClosure = entry.verdict != Verdict.MIXED;
        return byClosure || entry.report.step() + KEPT_STEPS < state.newest.step();
    }

    /** Whether a report belongs to the history that the newest epoch continues. */
    private boolean survives(ProgressRecord report) {
        return report.epoch() >= lineage.newestEpoch()
                || report.step() < lineage.survivingSteps(report.epoch());
    }
}
