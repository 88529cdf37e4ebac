/** A cluster of processes on this machine: a Kafka broker, a JobManager and TaskManagers. */
package dev.millrace.jobs.cluster;
