/**
 * A Kafka broker inside this JVM. The broker's own classes are not among the run-time dependencies
 * of this module: who starts one brings them.
 */
package dev.millrace.operators.topic.broker;
