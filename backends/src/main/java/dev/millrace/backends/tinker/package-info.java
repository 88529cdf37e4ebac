/**
 * Policies behind a server that speaks the Tinker protocol: a client of its calls, and adapters of
 * {@link dev.millrace.backends.port.Sampler} and {@link dev.millrace.backends.port.PolicyTrainer}.
 */
package dev.millrace.backends.tinker;
