package dev.millrace.operators.topic;

import java.util.List;

/** Topics that are there can't be used as they are; the message names each fault and its remedy. */
public final class TopicsRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    TopicsRefusedException(List<String> faults) {
        super("Topics refused:\n  " + String.join("\n  ", faults));
    }
}
