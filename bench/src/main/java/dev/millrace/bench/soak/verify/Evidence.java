package dev.millrace.bench.soak.verify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import java.util.List;

/**
 * What there is to judge a run by, all in the order of its topic or log.
 *
 * @param promises what it must keep
 * @param events the journal
 * @param groups closed groups
 * @param policies announcements and publications
 * @param progress what became of closed groups
 * @param trainer the trainer's log
 * @param sandboxes the sandbox service's log
 * @param kills when something was killed, milliseconds since 1970
 */
public record Evidence(
        Promises promises,
        List<Journaled> events,
        List<GroupRecord> groups,
        List<PolicyRecord> policies,
        List<ProgressRecord> progress,
        List<JsonNode> trainer,
        List<JsonNode> sandboxes,
        List<Long> kills) {

    /**
     * An event and when it was written.
     *
     * @param event the event
     * @param at milliseconds since 1970
     */
    public record Journaled(StepEvent event, long at) {}

    /**
     * The run's settings as far as they promise something.
     *
     * @param steps of the run
     * @param minibatchesPerStep of each step
     * @param maxLag most steps between the weights that sampled a group and those it trains
     */
    public record Promises(long steps, int minibatchesPerStep, long maxLag) {}
}
