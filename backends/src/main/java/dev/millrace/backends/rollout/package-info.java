/** Carries out the effects of an attempt: slots, sandboxes, sampling, capture. */
package dev.millrace.backends.rollout;
