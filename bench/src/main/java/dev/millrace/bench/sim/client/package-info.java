/** The ports of backends on the simulated services. */
package dev.millrace.bench.sim.client;
