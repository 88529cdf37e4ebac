package dev.millrace.operators.topic;

import java.util.HashSet;
import java.util.Set;

/**
 * Collects the CAUGHT_UP marks of one topic, which come repeatedly, until there is one of each of
 * its readers. Lives as long as an operator's opening: readers and consumers of one region always
 * open together.
 */
public final class CaughtUpReaders {
    private final Set<Integer> readers = new HashSet<>();
    private boolean complete;

    /** Takes a mark; true the one time that it completes them. */
    public boolean completedBy(TopicRecord mark) {
        if (complete || mark.kind() != TopicRecord.Kind.CAUGHT_UP) {
            return false;
        }
        readers.add(mark.readerIndex());
        complete = readers.size() == mark.readers();
        return complete;
    }

    /** Whether every reader has caught up. */
    public boolean complete() {
        return complete;
    }
}
