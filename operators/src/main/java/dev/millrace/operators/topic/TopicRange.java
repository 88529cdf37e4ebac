package dev.millrace.operators.topic;

import java.io.Serializable;

/**
 * The offsets of a partition at one moment.
 *
 * @param begin of its oldest record
 * @param end that the next record will get
 */
record TopicRange(long begin, long end) implements Serializable {}
