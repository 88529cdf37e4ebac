package dev.millrace.backends.port;

/** Updates policies. Thread-safe. */
public interface PolicyTrainer extends AutoCloseable {

    /**
     * Opens a new session. Blocks.
     *
     * @param name unique name of the session; saved states and publications carry it
     * @param stateUri state to start from, as {@link TrainerSession#saveState} returned it, or
     *     empty for the initial policy
     * @throws TrainerException when the state can't be read
     */
    TrainerSession open(String name, String stateUri);

    /** Whether what a session has published can be sampled after the session's end. */
    default boolean publicationsOutliveSessions() {
        return true;
    }

    @Override
    void close();
}
