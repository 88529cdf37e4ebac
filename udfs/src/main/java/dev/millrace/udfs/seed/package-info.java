/** Randomness that is a function of names: seeds and shuffles. */
package dev.millrace.udfs.seed;
