package dev.millrace.operators.train;

import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.Minibatch;
import java.util.List;

/**
 * What a trainer needs to go on where it was.
 *
 * @param published steps in the newest published version; -1 before the first
 * @param savedUri the newest saved state; empty when there is none
 * @param savedStep steps in it; 0 when there is none
 * @param kept every minibatch since, in order
 */
public record TrainerState(long published, String savedUri, long savedStep, List<LearnInput> kept) {
    static TrainerState empty() {
        return new TrainerState(-1, "", 0, List.of());
    }

    /** Whether a minibatch is the one that comes next. */
    boolean isNext(Minibatch next) {
        if (kept.isEmpty()) {
            return next.step() == savedStep && next.index() == 0;
        }
        Minibatch last = kept.get(kept.size() - 1).minibatch();
        boolean within = next.step() == last.step() && next.index() == last.index() + 1;
        boolean wasLast = last.index() + 1 == last.count();
        boolean begins = next.step() == last.step() + 1 && next.index() == 0;
        return wasLast ? begins : within;
    }
}
