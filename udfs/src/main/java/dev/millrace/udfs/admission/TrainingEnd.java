package dev.millrace.udfs.admission;

import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Verdict;

/** Whether there is anything left to train. */
final class TrainingEnd {
    private final AdmissionSettings settings;
    private final AdmissionState state;

    TrainingEnd(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
    }

    /**
     * Whether nothing more is to be trained: all steps are published, or the run gave up, or its
     * trainer did. A trainer that came back since may still be at work on it, see {@link #settled}.
     */
    boolean reached() {
        return state.trainerFailed()
                || state.gaveUp
                || (state.newest != null && state.newest.step() >= settings.steps());
    }

    /** A trainer gives the run up, which counts unless another one has come since. */
    void failsUnder(long epoch) {
        if (epoch >= state.newestAnnounced()) {
            state.failedEpoch = epoch;
            review();
        }
    }

    /**
     * Whether the end is reached and no trainer is on its way there again: one that has announced
     * an epoch may have gone on from an older state, and publishes anew how far it is.
     */
    boolean settled() {
        boolean told = state.newest != null && state.newest.epoch() >= state.newestAnnounced();
        return state.trainerFailed() || (reached() && told);
    }

    /**
     * Takes back an ending when there may be steps left: the run is to have more of them, or its
     * trainer came back.
     */
    void review() {
        state.gaveUp = state.gaveUp && starvedToTheLimit();
        state.last = reached();
        if (!settled()) {
            state.drained = false;
            state.drainedSources.clear();
        }
    }

    /**
     * Takes the verdict of a closed training group; true when it ends training. One that was never
     * played to its end, as its policy went away, says nothing about the tasks.
     */
    boolean givesUpAfter(GroupRecord group) {
        boolean repinned = group.cause().equals(GroupVerdict.REPINNED);
        if (group.verdict().trains()) {
            state.unmixedInARow = 0;
        } else if (group.verdict() != Verdict.CANCELLED && !repinned) {
            state.unmixedInARow++;
        }
        if (reached() || state.newest == null || !starvedToTheLimit()) {
            return false;
        }
        state.gaveUp = true;
        state.last = true;
        return true;
    }

    /** Whether that many batches of groups in a row had no mixed one. */
    boolean starved(int batches) {
        return state.unmixedInARow >= (long) batches * settings.groupsPerBatch();
    }

    private boolean starvedToTheLimit() {
        return settings.starvationLimit() > 0 && starved(settings.starvationLimit());
    }
}
