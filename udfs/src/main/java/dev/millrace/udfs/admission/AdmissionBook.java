package dev.millrace.udfs.admission;

import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchBook;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.RowDemand;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.StepAccounts;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides what is played next. It hears of tasks, publications, closed groups, what region 2 did
 * with them, and attempts that begin and end, in any order between those five and more than once;
 * {@link #admit} then says what may begin.
 *
 * <p>Pacing: a training group is admitted while the groups that were admitted and are neither
 * trained into a published version nor dropped are fewer than {@code (maxLag + 1) *
 * groupsPerBatch}, and a rollout slot is free. It keeps what it knows per group, not differences of
 * counters, so hearing something twice changes nothing.
 *
 * <p>Not thread-safe.
 */
public final class AdmissionBook {
    /** Batches of groups in a row without a mixed one that mean the run learns nothing. */
    public static final int STARVING_BATCHES = 4;

    private final AdmissionSettings settings;
    private final AdmissionState state;
    private final RowQueue rows;
    private final Catalogue catalogue;
    private final Lineage lineage;
    private final TrainingGroups training;
    private final EvalRounds rounds;
    private final Playing playing;
    private final TaskQuarantine quarantine;
    private final OutagePause outage;
    private final TrainingEnd end;
    private final NextGroup next;

    /** Goes on from what was kept; with more steps than the run had, also from its end. */
    public AdmissionBook(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
        this.rows = new RowQueue(state, settings.rowsAhead());
        this.catalogue = new Catalogue(settings, state, rows);
        this.lineage = new Lineage(state.forks);
        this.training = new TrainingGroups(settings, state, lineage);
        this.rounds = new EvalRounds(settings, state);
        this.playing = new Playing(settings, state);
        this.quarantine = new TaskQuarantine(settings, state);
        this.outage = new OutagePause(state);
        this.end = new TrainingEnd(settings, state);
        this.next =
                new NextGroup(
                        settings,
                        state,
                        new NextGroup.Sources(catalogue, training, rounds, lineage),
                        new NextGroup.Limits(playing, quarantine, outage, end));
        end.review();
    }

    /** What the clock says, milliseconds; to be told before anything else. */
    public void at(long nowMillis) {
        quarantine.at(nowMillis);
        outage.at(nowMillis);
    }

    /** The tasks that follow take the place of those before. */
    public void catalogue(CatalogueStart start) {
        catalogue.start(start);
    }

    /** A task of the catalogue. */
    public void task(Task task) {
        catalogue.add(task);
    }

    /**
     * A record of the topic of rows.
     *
     * @param task to learn from; empty when the record is none
     */
    public void row(RowPosition at, Optional<Task> task) {
        rows.arrived(at, task);
    }

    /**
     * How far the topic of rows may be read, so that only so many wait here. Empty when there is
     * nothing new to say; a book that was opened says it anew.
     */
    public Optional<RowDemand> rowDemand() {
        return rows.demand();
    }

    /** Whether a training group could begin if there were a row to play. */
    public boolean waitsForRows() {
        boolean none = rows.enabled() && state.newest != null && !catalogue.hasNext();
        return none && playing.occupied() < settings.slots() && next.roomForTraining();
    }

    /** Rows that wait to be played. */
    public int waitingRows() {
        return rows.size();
    }

    /** A line of the topic of policies. */
    public void policy(PolicyRecord policy) {
        if (policy.kind() == PolicyRecord.Kind.ANNOUNCE) {
            lineage.add(policy);
            state.forks = new ArrayList<>(lineage.forks());
            end.review();
            return;
        }
        if (policy.kind() == PolicyRecord.Kind.FAILED) {
            end.failsUnder(policy.epoch());
            return;
        }
        boolean newer =
                state.newest == null || policy.version().compareTo(state.newest.version()) > 0;
        if (!newer || !lineage.isCurrent(policy.epoch())) {
            return;
        }
        state.newest = policy;
        state.unaudited.add(policy.version());
        end.review();
        if (rounds.enabled()) {
            rounds.published(policy);
        }
        training.settle();
    }

    /** A closed group; only the first record of an id counts. */
    public void closed(GroupRecord group) {
        boolean gone = gone(group.lane(), group.groupIndex(), group.evalRound());
        if (group.drained() || gone) {
            return;
        }
        GroupEntry entry = entry(group.lane(), group.groupId(), group.groupIndex());
        if (entry.closed) {
            return;
        }
        state.touch(entry);
        entry.close(group);
        playing.answered(entry, group);
        quarantine.heard(group);
        outage.heard(group);
        if (group.lane() == Lane.EVAL) {
            entry.evalRound = group.evalRound();
            EvalRound round = round(group.evalRound(), group.policy());
            round.closed.add(EvalRounds.position(group.groupIndex()));
        } else {
            catalogue.closed(group);
            boolean telling =
                    !group.cause().equals(Failure.TASK_QUARANTINED)
                            && !OutagePause.isDamaged(group);
            if (telling && end.givesUpAfter(group) && rounds.enabled()) {
                // What was reached is still measured, as after the last publication.
                rounds.round(state.newest.step(), state.newest.ref());
            }
            training.settle();
        }
    }

    /** What region 2 did with a group, or that a source has passed the mark behind the last. */
    public void progress(ProgressRecord progress) {
        if (progress.kind() == ProgressRecord.Kind.DRAINED) {
            boolean replaced =
                    progress.source().equals(BatchBook.SOURCE)
                            && !lineage.isCurrent(progress.epoch());
            boolean known = replaced || state.drainedSources.contains(progress.source());
            // An answer to a mark that was given out before a restore, and is given out again,
            // counts once it comes again.
            if (state.drained && !known) {
                state.drainedSources.add(progress.source());
            }
            return;
        }
        if (progress.kind() == ProgressRecord.Kind.ACCOUNTS
                || gone(Lane.TRAIN, progress.groupIndex(), "")) {
            return;
        }
        GroupEntry entry = entry(Lane.TRAIN, progress.groupId(), progress.groupIndex());
        state.touch(entry);
        entry.report(progress);
        training.settle();
    }

    /** An event of the rollout stage's journal: an attempt was admitted there. */
    public void admitted(Admission admission) {
        if (admission.lane() == Lane.TRAIN) {
            // Also of a group that has left: its row may arrive behind what a restore knows.
            rows.played(admission.task());
        }
        if (gone(admission.lane(), admission.groupIndex(), admission.evalRound())) {
            return;
        }
        GroupEntry entry = entry(admission.lane(), admission.groupId(), admission.groupIndex());
        state.touch(entry);
        if (entry.admissionId.isEmpty()) {
            entry.adopt(admission);
            catalogue.takenAgain(admission.task());
        }
        if (admission.lane() == Lane.EVAL) {
            EvalRound round = round(admission.evalRound(), admission.policy());
            round.admitted.add(EvalRounds.position(admission.groupIndex()));
        }
        playing.journaled(entry, admission);
    }

    /**
     * An event of the rollout stage's journal: an attempt was captured or cancelled, or a step of
     * it failed. It gives its slot back, at a failure only once it has failed as often as it may.
     */
    public void ended(StepEvent event) {
        int mark = event.itemId().lastIndexOf("/a");
        GroupEntry entry = mark < 0 ? null : state.groups.get(event.itemId().substring(0, mark));
        if (entry != null) {
            state.touch(entry);
            playing.ended(entry, event);
            training.settle();
        }
    }

    /**
     * Admits what may begin now.
     *
     * @param admissionIds gives a new random id at each call
     * @return attempts to play, whole groups
     */
    public List<Admission> admit(Supplier<String> admissionIds) {
        List<Admission> admissions = new ArrayList<>(admitAgain());
        while (playing.occupied() < settings.slots() && wantsSlots()) {
            admissions.addAll(admitGroup(admissionIds, Map.of()));
        }
        return admissions;
    }

    /** Attempts of groups that were admitted before and are given out again. */
    List<Admission> admitAgain() {
        rounds.finish();
        List<Admission> admissions = new ArrayList<>();
        for (GroupEntry entry : state.groups.values()) {
            if (entry.emit) {
                admissions.addAll(playing.start(entry, Map.of()));
            }
        }
        return admissions;
    }

    /** Whether a group may begin as soon as a slot is free. */
    boolean wantsSlots() {
        rounds.finish();
        return next.mayBegin();
    }

    /**
     * Whether training attempts could be played: there is a policy, and the round of evaluation
     * that comes before is over. Also when there never will be one.
     */
    boolean begun() {
        rounds.finish();
        return state.trainerFailed() || (state.newest != null && rounds.firstDone());
    }

    /**
     * Admits the group that is due, of a run that {@link #wantsSlots}; no attempts if its task is
     * closed.
     *
     * @param others attempts that other runs play, by route
     */
    List<Admission> admitGroup(Supplier<String> admissionIds, Map<String, Integer> others) {
        GroupEntry due = next.begin(admissionIds.get());
        return next.refuses(due) ? List.of() : playing.start(due, others);
    }

    /**
     * Groups that were due and are not played, since their tasks are closed, each once. They are
     * open until they are heard of as closed groups: this is what to write of them.
     */
    public List<GroupRecord> takeRefused() {
        return quarantine.takeRefused();
    }

    /** When a group may be tried again after infrastructure was away, while that is to come. */
    public Optional<Long> resumesAt() {
        return outage.resumesAt();
    }

    /** Whether it is waited for infrastructure. */
    public boolean infrastructureAway() {
        return outage.away();
    }

    /** Says once that infrastructure is away: what attempts failed with. */
    public Optional<String> takeOutage() {
        return outage.takeCause();
    }

    /** Tasks of which no group begins now, since their verifiers give no verdict. */
    public long tasksQuarantined() {
        return quarantine.size();
    }

    /** Attempts that hold a rollout slot, by route. */
    Map<String, Integer> occupiedRoutes() {
        return playing.load(Map.of());
    }

    /** Whether the last step is published or never comes, no round goes on and nothing is open. */
    public boolean exhausted() {
        rounds.finish();
        return end.settled()
                && (state.trainerFailed() || rounds.allDone())
                && state.groups.values().stream().allMatch(e -> e.closed && e.openSlots() == 0);
    }

    /** Whether the mark behind the last group was given out; noted by {@link #markDrained}. */
    public boolean drained() {
        return state.drained;
    }

    /** Notes that the mark behind the last group was given out. */
    public void markDrained() {
        state.drained = true;
    }

    /** Whether every one of these sources has passed that mark. */
    public boolean passedBy(List<String> sources) {
        return state.drained && state.drainedSources.containsAll(sources);
    }

    /** Whether so many groups in a row taught nothing that the run learns nothing. */
    public boolean starved() {
        return end.starved(STARVING_BATCHES);
    }

    /** Why the run ends before its last step, empty when it does not. */
    public String endsEarly() {
        if (state.trainerFailed()) {
            return GroupRecord.TRAINER_FAILED;
        }
        return state.gaveUp ? GroupRecord.STARVED : "";
    }

    /** The newest published version, {@link PolicyVersion#NONE} before the first. */
    public PolicyVersion newest() {
        return state.newest == null ? PolicyVersion.NONE : state.newest.version();
    }

    /** The newest published version and where it lies, null before the first. */
    public PolicyRef newestRef() {
        return state.newest == null ? null : state.newest.ref();
    }

    /** Rows of the data set in play that are no tasks. */
    public long rejectedRows() {
        return catalogue.rejectedRows();
    }

    /** Attempts that hold a rollout slot. */
    public int occupiedSlots() {
        return playing.occupied();
    }

    /**
     * What became of all training groups.
     *
     * @throws IllegalStateException naming groups for which offered = trained + dropped + open does
     *     not hold
     */
    public Accounts accounts() {
        return Accounts.of(balance());
    }

    /** What became of all training groups, with what is wrong about it, if anything is. */
    public StepAccounts balance() {
        return training.balance();
    }

    /**
     * The balances, of kind ACCOUNTS, of steps that have closed since this was asked last: their
     * version is published and all groups in it are known. Once region 2 has passed the mark behind
     * the last group it has said everything, and every published version must have closed; one that
     * has not is then a violation.
     */
    public List<ProgressRecord> closedSteps() {
        List<ProgressRecord> closed = new ArrayList<>(training.closedSteps());
        if (passedBy(List.of(BatchBook.SOURCE))) {
            closed.addAll(training.neverClosedSteps());
        }
        return closed;
    }

    /** What to keep: the book's own memory, to be encoded before the book is used again. */
    public AdmissionState state() {
        return state;
    }

    /** Whether all of a group is over and was let go of. */
    private boolean gone(Lane lane, long index, String evalRound) {
        return lane == Lane.TRAIN ? index < state.settledBelow : rounds.over(evalRound);
    }

    private GroupEntry entry(Lane lane, String groupId, long index) {
        return state.groups.computeIfAbsent(groupId, id -> GroupEntry.known(lane, id, index));
    }

    private EvalRound round(String name, PolicyRef policy) {
        return rounds.round(EvalRound.stepOf(name), policy);
    }
}
