package dev.millrace.jobs.cluster;

/** A process of a cluster. */
public interface Member {

    /** Its name, and that of its log: {@code broker}, {@code jobmanager}, {@code taskmanager-1}. */
    String name();

    /** Id of the process that runs, or ran last. */
    long pid();

    /** Whether its process runs. */
    boolean alive();

    /** Ends it with SIGKILL and waits until it is gone. */
    void kill();

    /**
     * Starts it again with the ports, folders and resource id that it had; kills it first when it
     * runs. Broker and JobManager answer when this returns; a TaskManager registers later.
     *
     * @throws IllegalStateException when it doesn't come up
     */
    void restart();
}
