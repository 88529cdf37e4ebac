/**
 * Checks a run's promises from the services' own logs and from the topics, and from nothing that
 * the run says about itself elsewhere.
 */
package dev.millrace.bench.soak.verify;
