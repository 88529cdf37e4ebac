package dev.millrace.udfs.admission;

import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepAccounts;
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
        return fate(entry, newest());
    }

    /** Where a group stands, as of a version. */
    private Fate fate(GroupEntry entry, PolicyVersion version) {
        if (!entry.closed) {
            return Fate.of(Fate.Stage.OPEN);
        }
        if (!entry.verdict.trains()) {
            return Fate.dropped(entry.cause);
        }
        ProgressRecord report = entry.report(lineage).orElse(null);
        if (report == null) {
            return unlessFailed(Fate.Stage.WAITING);
        }
        if (report.kind() == ProgressRecord.Kind.DROPPED) {
            return Fate.dropped(report.cause());
        }
        PolicyVersion holding = new PolicyVersion(report.epoch(), report.step() + 1);
        boolean trained = version.step() > 0 && lineage.contains(version, holding);
        return trained ? Fate.of(Fate.Stage.TRAINED) : unlessFailed(Fate.Stage.TAKEN);
    }

    /** What waits for a trainer that gave up is of no use. */
    private Fate unlessFailed(Fate.Stage stage) {
        return state.trainerFailed() ? Fate.dropped(GroupRecord.TRAINER_FAILED) : Fate.of(stage);
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
            state.touch(oldest);
            state.settledBelow++;
            oldest = state.groups.get(id(state.settledBelow));
        }
        state.nextIndex = Math.max(state.nextIndex, state.settledBelow);
    }

    /** The balance as of the newest version. */
    StepAccounts balance() {
        return balance(newest());
    }

    /** The balances of published versions all of whose groups are known, each once. */
    List<ProgressRecord> closedSteps() {
        List<ProgressRecord> closed = new ArrayList<>();
        while (!state.unaudited.isEmpty()) {
            PolicyVersion version = state.unaudited.get(0);
            boolean survives = lineage.contains(tip(), version);
            StepAccounts accounts = survives ? balance(version) : null;
            if (survives && accounts.trained() < version.step() * settings.groupsPerBatch()) {
                return closed;
            }
            state.unaudited.remove(0);
            if (survives) {
                closed.add(ProgressRecord.of(settings.runId(), version, accounts));
            }
        }
        return closed;
    }

    /** The balances of versions whose groups should all be known by now, but are not. */
    List<ProgressRecord> neverClosedSteps() {
        List<ProgressRecord> open = new ArrayList<>();
        for (PolicyVersion version : state.unaudited) {
            StepAccounts accounts = balance(version);
            List<String> violations = new ArrayList<>(accounts.violations());
            violations.add(
                    "version "
                            + version
                            + " holds "
                            + accounts.trained()
                            + " groups instead of "
                            + version.step() * settings.groupsPerBatch());
            open.add(
                    ProgressRecord.of(
                            settings.runId(),
                            version,
                            new StepAccounts(
                                    accounts.offered(),
                                    accounts.trained(),
                                    accounts.dropped(),
                                    accounts.open(),
                                    violations)));
        }
        state.unaudited.clear();
        return open;
    }

    private StepAccounts balance(PolicyVersion version) {
        TreeMap<String, Long> dropped = new TreeMap<>(state.settledDropped);
        TreeMap<Long, List<String>> steps = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        long trained = state.settledTrained;
        long open = 0;
        long kept = 0;
        for (GroupEntry entry : state.groups.values()) {
            if (entry.lane != Lane.TRAIN) {
                continue;
            }
            kept++;
            if (contradicts(entry)) {
                wrong.add(entry.groupId + " is " + entry.verdict + " but was taken");
            }
            Fate fate = fate(entry, version);
            switch (fate.stage()) {
                case TRAINED -> {
                    trained++;
                    long step = entry.report(lineage).orElseThrow().step();
                    steps.computeIfAbsent(step, s -> new ArrayList<>()).add(entry.groupId);
                }
                case DROPPED -> dropped.merge(fate.cause(), 1L, Long::sum);
                default -> open++;
            }
        }
        long offered = state.settledBelow + kept;
        wrong.addAll(missing());
        wrong.addAll(overfull(steps));
        StepAccounts accounts = new StepAccounts(offered, trained, dropped, open, wrong);
        long droppedTotal = dropped.values().stream().mapToLong(Long::longValue).sum();
        if (offered != trained + droppedTotal + open) {
            wrong.add("offered " + offered + " is not the sum of " + accounts);
        }
        return accounts;
    }

    private List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (long index = state.settledBelow; index < state.nextIndex; index++) {
            if (!state.groups.containsKey(id(index))) {
                missing.add(id(index) + " was offered but is unknown");
            }
        }
        return missing;
    }

    /** Steps that were trained on more groups than a batch has. */
    private List<String> overfull(Map<Long, List<String>> steps) {
        List<String> overfull = new ArrayList<>();
        steps.forEach(
                (step, ids) -> {
                    if (ids.size() > settings.groupsPerBatch()) {
                        overfull.add("step " + step + " was trained on " + ids);
                    }
                });
        return overfull;
    }

    private PolicyVersion newest() {
        return state.newest == null ? PolicyVersion.NONE : state.newest.version();
    }

    /** The far end of the history that counts. */
    private PolicyVersion tip() {
        return new PolicyVersion(Math.max(lineage.newestEpoch(), newest().epoch()), Long.MAX_VALUE);
    }

    private boolean contradicts(GroupEntry entry) {
        return entry.closed
                && !entry.verdict.trains()
                && entry.report != null
                && entry.report.kind() == ProgressRecord.Kind.TAKEN;
    }

    private boolean settled(GroupEntry entry) {
        if (entry.openSlots() > 0 || !fate(entry).counted()) {
            return false;
        }
        boolean byClosure = !entry.verdict.trains();
        return byClosure || entry.report(lineage).filter(this::isLongAgo).isPresent();
    }

    private boolean isLongAgo(ProgressRecord report) {
        return state.newest != null && report.step() + KEPT_STEPS < state.newest.step();
    }
}
