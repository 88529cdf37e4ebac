package dev.millrace.operators.topic;

import java.io.Serializable;

/**
 * A topic of others that is read beside a run's own one. It has no final markers: it ends with the
 * run's. What it holds is read only as far as records of the run's topic ask for.
 *
 * @param topic full name
 * @param demandKey key of those records; each is a {@link dev.millrace.udfs.model.RowDemand}
 */
public record TopicFeed(String topic, String demandKey) implements Serializable {}
