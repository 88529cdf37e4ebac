package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.List;

/**
 * What became of a group.
 *
 * @param progress what to say about it and about groups before it
 * @param minibatch one that it made full, or null
 * @param lagMean mean lag of that minibatch's groups
 */
public record BatchOutput(List<ProgressRecord> progress, Minibatch minibatch, double lagMean) {
    /** Nothing to say. */
    static final BatchOutput NOTHING = new BatchOutput(List.of(), null, 0);

    static BatchOutput of(List<ProgressRecord> progress) {
        return new BatchOutput(progress, null, 0);
    }
}
