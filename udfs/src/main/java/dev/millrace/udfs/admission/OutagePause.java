package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Verdict;
import java.util.Optional;

/**
 * Waits while infrastructure is away. When so many groups in a row lost all their attempts to it,
 * nothing begins for a while; then one group is tried, and the pause doubles each time that one is
 * lost too. An attempt that gets through ends it.
 */
final class OutagePause {
    /** Groups in a row that say that infrastructure is away. */
    static final int GROUPS = 3;

    static final long FIRST_MILLIS = 1_000;
    static final long LONGEST_MILLIS = 60_000;

    private final AdmissionState state;
    private long now;
    private String said;

    OutagePause(AdmissionState state) {
        this.state = state;
    }

    /** What the clock says, milliseconds. */
    void at(long nowMillis) {
        now = nowMillis;
    }

    /** A group was closed, for the first time. */
    void heard(GroupRecord group) {
        if (isLost(group)) {
            state.lostInARow++;
            if (state.lostInARow >= GROUPS && now >= state.resumesAt) {
                pause(group);
            }
        } else if (group.attempts().stream().anyMatch(attempt -> !isLost(attempt))) {
            state.lostInARow = 0;
            state.pauses = 0;
            state.resumesAt = 0;
        }
    }

    /** Groups that were open when it began do not make it longer. */
    private void pause(GroupRecord group) {
        if (state.pauses == 0) {
            said = group.attempts().get(0).failure().cause();
        }
        long millis = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(state.pauses, 10));
        state.pauses++;
        state.resumesAt = now + millis;
    }

    /**
     * Whether nothing may begin now.
     *
     * @param open whether a group is being played
     */
    boolean holds(boolean open) {
        return away() && (open || now < state.resumesAt);
    }

    /** Whether it is not known that infrastructure is back. */
    boolean away() {
        return state.pauses > 0;
    }

    /** When the next group may be tried, while that is to come. */
    Optional<Long> resumesAt() {
        return away() && now < state.resumesAt ? Optional.of(state.resumesAt) : Optional.empty();
    }

    /** What attempts failed with when it began, said once. */
    Optional<String> takeCause() {
        Optional<String> cause = Optional.ofNullable(said);
        said = null;
        return cause;
    }

    /** Whether some attempt of a failed group is missing by infrastructure's fault. */
    static boolean isDamaged(GroupRecord group) {
        return group.verdict() == Verdict.FAILED
                && group.attempts().stream().anyMatch(OutagePause::isLost);
    }

    private static boolean isLost(GroupRecord group) {
        return group.verdict() == Verdict.FAILED
                && !group.attempts().isEmpty()
                && group.attempts().stream().allMatch(OutagePause::isLost);
    }

    private static boolean isLost(AttemptSummary attempt) {
        return attempt.failure() != null && attempt.failure().failureClass() == FailureClass.INFRA;
    }
}
