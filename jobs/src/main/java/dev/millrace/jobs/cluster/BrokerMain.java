package dev.millrace.jobs.cluster;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A Kafka broker as a process. */
final class BrokerMain {
    private BrokerMain() {}

    /** Takes its folder and its port; runs until the process is ended. */
    public static void main(String[] arguments) throws InterruptedException {
        EmbeddedBroker broker =
                EmbeddedBroker.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "broker-close"));
        new CountDownLatch(1).await();
    }
}
