/**
 * Simulated services with real sockets: a model server, a sandbox service and a trainer, one
 * process each. What they answer depends on seed and ids alone, never on the order of calls; how
 * long they take is virtual time, run faster by a factor. Each keeps a log on disk of what it was
 * asked and did, and goes on from it when it is started again.
 */
package dev.millrace.bench.sim;
