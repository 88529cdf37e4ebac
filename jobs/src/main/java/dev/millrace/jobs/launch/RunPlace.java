package dev.millrace.jobs.launch;

import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;

/**
 * Where the records of a run lie.
 *
 * @param cluster that holds the topics
 * @param names of the topics, which may have records of other runs too
 * @param runId the run
 */
record RunPlace(KafkaCluster cluster, TopicNames names, String runId) {}
