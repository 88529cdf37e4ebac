/** The gate: what may be played next, and when the run is over. */
package dev.millrace.operators.admission;
