package dev.millrace.operators.reference;

import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of one attempt: an item with its log-probabilities, or the reason why there are none.
 *
 * @param item set when there are
 * @param reject set when there are none
 */
record ReferenceItem(MinibatchItem item, Reject reject) {
    private static final String STAGE = "reference";

    static ReferenceItem of(MinibatchItem item, ContentRef logprobs) {
        MinibatchItem with =
                new MinibatchItem(
                        item.attemptId(),
                        item.trajectory(),
                        item.advantage(),
                        item.generatedTokens(),
                        logprobs);
        return new ReferenceItem(with, null);
    }

    static ReferenceItem missing(String runId, MinibatchItem item, String reason, String detail) {
        return new ReferenceItem(null, new Reject(runId, STAGE, reason, item.attemptId(), detail));
    }

    /** The minibatch with these answers for its items. */
    static LearnInput apply(LearnInput input, List<ReferenceItem> answers) {
        List<MinibatchItem> items = new ArrayList<>();
        List<Reject> rejects = new ArrayList<>(input.rejects());
        for (ReferenceItem answer : answers) {
            if (answer.item() != null) {
                items.add(answer.item());
            } else {
                rejects.add(answer.reject());
            }
        }
        Minibatch whole = input.minibatch();
        Minibatch rest =
                new Minibatch(
                        whole.runId(),
                        whole.epoch(),
                        whole.step(),
                        whole.index(),
                        whole.count(),
                        whole.groupIds(),
                        items,
                        whole.normaliserTokens(),
                        whole.rewardMean());
        return new LearnInput(null, rest, input.lagMean(), rejects);
    }
}
