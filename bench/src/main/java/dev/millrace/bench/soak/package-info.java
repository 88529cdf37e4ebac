/** A run on real processes that is killed by plan, and what became of it. */
package dev.millrace.bench.soak;
