package dev.millrace.backends.fake;

import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * A trainer whose weights are a digest of what it was given, in order. Two histories of updates
 * give the same weights only if they are the same. It refuses names that were used before.
 */
public final class FakePolicyTrainer implements PolicyTrainer {
    /** Where saved states lie. */
    static final String STATES = "fake-state:";

    /** Where published weights lie. */
    static final String WEIGHTS = "fake-weights:";

    private final long seed;
    private final Executor device;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Map<String, FakeState> kept = new ConcurrentHashMap<>();
    private final List<FakeSession> sessions = new ArrayList<>();

    /** A trainer that answers at once. */
    public FakePolicyTrainer(long seed) {
        this(seed, Runnable::run);
    }

    /**
     * A trainer that works on a device.
     *
     * @param device runs what it is given in that order, one after the other
     */
    public FakePolicyTrainer(long seed, Executor device) {
        this.seed = seed;
        this.device = device;
    }

    @Override
    public synchronized TrainerSession open(String name, String stateUri) {
        take("session " + name);
        FakeState start = stateUri.isEmpty() ? new FakeState(seed, List.of()) : kept.get(stateUri);
        if (start == null) {
            throw new TrainerException("No trainer state lies at " + stateUri, null);
        }
        FakeSession session = new FakeSession(this, name, start, device);
        sessions.add(session);
        return session;
    }

    @Override
    public void close() {
        // Nothing is held: what was saved outlives the trainer, as files would.
    }

    /** What lies at a URI that a save or a publication gave; null when nothing does. */
    public FakeState at(String uri) {
        return kept.get(uri);
    }

    /** Every session that was opened, in order. */
    public synchronized List<FakeSession> sessions() {
        return List.copyOf(sessions);
    }

    /** Id of a datum: what it says, not when it was given. */
    public static String idOf(Datum datum) {
        return Long.toHexString(Digest.of(datum));
    }

    String keep(String prefix, String name, FakeState state) {
        take(prefix + name);
        kept.put(prefix + name, state);
        return prefix + name;
    }

    private void take(String name) {
        if (!names.add(name)) {
            throw new TrainerException("The name was used before: " + name, null);
        }
    }
}
