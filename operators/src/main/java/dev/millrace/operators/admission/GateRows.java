package dev.millrace.operators.admission;

import java.io.Serializable;

/**
 * The topic of rows that a gate takes its training tasks from, beside those that hold the run.
 *
 * @param topic full name
 * @param decoder makes tasks of its records
 */
public record GateRows(String topic, RowDecoder decoder) implements Serializable {}
