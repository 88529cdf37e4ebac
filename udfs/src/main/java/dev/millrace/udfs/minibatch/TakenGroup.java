package dev.millrace.udfs.minibatch;

import dev.millrace.udfs.model.GroupRecord;

/**
 * A group that a minibatch took.
 *
 * @param group the group
 * @param lag steps between the weights that sampled it and those it trains
 */
public record TakenGroup(GroupRecord group, long lag) {}
