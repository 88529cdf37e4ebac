/** Trains the policy, off the task's thread, and publishes versions. */
package dev.millrace.operators.train;
