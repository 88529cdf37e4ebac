/** Carries out the effects of grading: its own slots, fresh sandboxes, verdicts. */
package dev.millrace.backends.grading;
