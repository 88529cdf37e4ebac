package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.Verdict;

/** Whether there is anything left to train. */
final class TrainingEnd {
    private final AdmissionSettings settings;
    private final AdmissionState state;

    TrainingEnd(AdmissionSettings settings, AdmissionState state) {
        this.settings = settings;
        this.state = state;
    }

    /** Whether nothing is trained any more: all steps are published, or the run gave up. */
    boolean reached() {
        return state.gaveUp || (state.newest != null && state.newest.step() >= settings.steps());
    }

    /**
     * Takes back an ending when there are steps left: the run is to have more of them, or its
     * trainer went on from an older state.
     */
    void review() {
        state.gaveUp = state.gaveUp && starvedToTheLimit();
        state.last = reached();
        if (!state.last) {
            state.drained = false;
            state.drainedSources.clear();
        }
    }

    /** Takes the verdict of a closed training group; true when it ends training. */
    boolean givesUpAfter(Verdict verdict) {
        if (verdict == Verdict.MIXED) {
            state.unmixedInARow = 0;
        } else if (verdict != Verdict.CANCELLED) {
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
