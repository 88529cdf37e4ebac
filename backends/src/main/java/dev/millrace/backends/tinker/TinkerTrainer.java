package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains adapters on a server. Every session is a model of its own in a server session of its own:
 * when its heartbeats stop, the server drops whatever it has left there, so that an adapter whose
 * creation was never confirmed does not stay.
 */
public final class TinkerTrainer implements PolicyTrainer {
    private static final Logger LOG = LoggerFactory.getLogger(TinkerTrainer.class);
    private static final int MOST_CREATIONS = 4;
    private static final long CAPACITY_PAUSE_MILLIS = 5_000;

    /** Held from a sweep of a slot to the model in it. */
    private static final ReentrantLock SWEEPING = new ReentrantLock();

    private final TinkerSettings settings;
    private final TinkerClient client;

    /** A trainer that reads its key from the environment. */
    public TinkerTrainer(TinkerSettings settings) {
        this(settings, ApiKey.fromEnvironment());
    }

    TinkerTrainer(TinkerSettings settings, ApiKey key) {
        this.settings = settings;
        this.client = new TinkerClient(settings, key);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A server without a free adapter slot is waited for: the slot of a lost session becomes
     * free when that session ends.
     */
    @Override
    public TinkerTrainerSession open(String name, String stateUri) {
        CheckpointName.of(name);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.times().capacity());
        for (int creations = 1; ; ) {
            try {
                return openOnce(name, stateUri);
            } catch (TinkerException e) {
                boolean waits = e.noFreeSlot() && System.nanoTime() < end;
                boolean lost = e.outcomeUnknown() && creations++ < MOST_CREATIONS;
                if (!waits && !lost) {
                    throw opened(name, e);
                }
                LOG.warn("A session is opened again name={} reason={}", name, e.getMessage());
                pause(waits ? Math.min(CAPACITY_PAUSE_MILLIS, settings.times().heartbeat()) : 0);
            }
        }
    }

    /** A server that keeps publications where it trains loses them with the model. */
    @Override
    public boolean publicationsOutliveSessions() {
        return settings.traits().immutablePublications();
    }

    private TinkerTrainerSession openOnce(String name, String stateUri) {
        ServerSession session = await(ServerSession.open(client, name));
        try {
            TinkerModel model =
                    publicationsOutliveSessions() ? newModel(session) : inSweptSlot(session);
            session.watch(model.id());
            return loaded(name, stateUri, session, model);
        } catch (TinkerException e) {
            session.close();
            throw e;
        }
    }

    private TinkerModel newModel(ServerSession session) {
        return new TinkerModel(client, await(client.createModel(session.id())), 1);
    }

    /**
     * Uses up the gradient that a model which ended in the midst of a step may have left in the
     * slot of the next one. Such servers give the free slot with the lowest number, so trainers of
     * other runs must not take one in between.
     */
    private TinkerModel inSweptSlot(ServerSession session) {
        try {
            SWEEPING.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TinkerException(Kind.CLOSED, "interrupted", 0, e);
        }
        try {
            TinkerModel sweeper = newModel(session);
            await(sweeper.optimStep(TinkerModel.STILL));
            await(sweeper.unload());
            return newModel(session);
        } finally {
            SWEEPING.unlock();
        }
    }

    private TinkerTrainerSession loaded(
            String name, String stateUri, ServerSession session, TinkerModel model) {
        try {
            if (!stateUri.isEmpty()) {
                await(model.load(stateUri));
            }
            if (!publicationsOutliveSessions()) {
                session.ask(model::alive);
            }
            return new TinkerTrainerSession(settings, name, session, model);
        } catch (TinkerException e) {
            var unused = model.unload();
            throw e;
        }
    }

    private static TrainerException opened(String name, TinkerException e) {
        TrainerException.Kind kind =
                e.passing() ? TrainerException.Kind.TIMED_OUT : TrainerException.Kind.FAILED;
        return new TrainerException(
                kind, "Trainer session " + name + " could not be opened: " + e.getMessage(), e);
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw TinkerException.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TinkerException(Kind.CLOSED, "interrupted", 0, e);
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrainerException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
