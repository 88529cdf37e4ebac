/** Benchmarks of sandboxes on this machine. */
package dev.millrace.bench.sandbox;
