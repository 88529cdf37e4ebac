/** Tells when a stage has work and does not move, and what it waits for. */
package dev.millrace.operators.watch;
