/** Runs in the formats of other tools, made from their ledger and their trajectories. */
package dev.millrace.jobs.export;
