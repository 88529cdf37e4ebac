/** The durable step stage: a keyed state machine whose steps are slow calls to the outside. */
package dev.millrace.operators.step;
