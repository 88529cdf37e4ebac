/** Plays attempts without a stream: for the warm-up's probe and for checks on one machine. */
package dev.millrace.backends.play;
