/** Asks the reference policy for its log-probabilities, ahead of the trainer. */
package dev.millrace.operators.reference;
