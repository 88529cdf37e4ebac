package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.Task;
import java.util.Optional;

/** Which evaluation rounds there are and how far they came. */
final class EvalRounds {
    /** Rounds are that far apart in the order of the evaluation lane. */
    private static final long INDEXES_PER_ROUND = 1L << 20;

    private final AdmissionSettings settings;
    private final AdmissionState state;

    EvalRounds(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
    }

    /** Opens a round if a publication is due one. */
    void published(PolicyRecord publication) {
        boolean due =
                state.rounds.isEmpty()
                        || publication.last()
                        || publication.step() % settings.evalEverySteps() == 0;
        if (due) {
            round(publication.step(), publication.ref());
        }
    }

    /** Whether this run evaluates at all. */
    boolean enabled() {
        return settings.evalEverySteps() > 0;
    }

    EvalRound round(long step, PolicyRef policy) {
        EvalRound round = state.rounds.computeIfAbsent(step, s -> EvalRound.of(s, policy));
        state.touch(round);
        return round;
    }

    /** Notes which rounds are complete and lets go of their groups. */
    void finish() {
        int total = total();
        for (EvalRound round : state.rounds.values()) {
            if (round.finishIfComplete(total)) {
                state.touch(round);
            }
        }
        state.groups.values().removeIf(this::leaves);
    }

    private boolean leaves(GroupEntry entry) {
        boolean leaves = entry.lane == Lane.EVAL && over(entry.evalRound) && entry.openSlots() == 0;
        if (leaves) {
            state.touch(entry);
        }
        return leaves;
    }

    /** Whether a round is known to be complete. */
    boolean over(String name) {
        EvalRound round = state.rounds.get(EvalRound.stepOf(name));
        return round != null && round.done;
    }

    /** Whether the round that comes before all training is over. */
    boolean firstDone() {
        return !enabled() || (!state.rounds.isEmpty() && state.rounds.firstEntry().getValue().done);
    }

    boolean allDone() {
        return state.rounds.values().stream().allMatch(round -> round.done);
    }

    /** The first round that still has a group to admit. */
    Optional<EvalRound> next() {
        int total = total();
        return state.rounds.values().stream()
                .filter(round -> !round.done && round.nextPosition(total) < total)
                .findFirst();
    }

    int nextPosition(EvalRound round) {
        return round.nextPosition(total());
    }

    /** Groups of a round: for each task a sampled one, then a greedy one. */
    int total() {
        return state.evalTasks.size() * groupsPerTask();
    }

    boolean greedy(int position) {
        return groupsPerTask() == 1 || position % 2 == 1;
    }

    Task task(int position) {
        return state.evalTasks.get(position / groupsPerTask());
    }

    String id(EvalRound round, int position) {
        return settings.runId() + "/" + round.name() + "/" + position;
    }

    long index(EvalRound round, int position) {
        return round.step * INDEXES_PER_ROUND + position;
    }

    /** Position of a group in its round. */
    static int position(long index) {
        return (int) (index % INDEXES_PER_ROUND);
    }

    private int groupsPerTask() {
        return settings.evalAttempts() > 0 ? 2 : 1;
    }
}
