package dev.millrace.operators.admission;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often the topics were ended. */
final class RecordedMarkers implements FinalMarkers {
    private static final long serialVersionUID = 1L;
    static final AtomicInteger WRITTEN = new AtomicInteger();
    static volatile boolean failing;

    @Override
    public void write() {
        if (failing) {
            throw new IllegalStateException("the broker is away");
        }
        WRITTEN.incrementAndGet();
    }
}
