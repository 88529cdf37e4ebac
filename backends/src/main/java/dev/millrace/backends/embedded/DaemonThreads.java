package dev.millrace.backends.embedded;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that don't keep the JVM alive. */
final class DaemonThreads {
    private DaemonThreads() {}

    static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}
