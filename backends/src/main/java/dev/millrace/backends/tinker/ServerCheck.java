package dev.millrace.backends.tinker;

import dev.millrace.backends.port.TrainerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server, before a run starts, whether it can do what the run needs. Blocks. Each refusal is
 * one message that names the setting.
 */
public final class ServerCheck {
    private static final long PATIENCE_MILLIS = 2_000;
    private static final long UNLOAD_MILLIS = 60_000;
    private static final String SECTION = "policy.tinker.";

    private final TinkerSettings settings;
    private final ApiKey key;

    /** A check with the key of the environment. */
    public ServerCheck(TinkerSettings settings) {
        this(settings, ApiKey.fromEnvironment());
    }

    ServerCheck(TinkerSettings settings, ApiKey key) {
        this.settings = settings;
        this.key = key;
    }

    /**
     * Checks address, key, model and context, without making anything on the server.
     *
     * @throws ServerRefusedException when one of them is wrong
     */
    public void reachable() throws ServerRefusedException {
        try (TinkerClient client = new TinkerClient(impatient(), key)) {
            Map<String, Integer> models = client.models().join();
            Integer context = models.get(settings.baseModel());
            if (context == null) {
                throw refused(
                        "baseModel: "
                                + settings.baseModel()
                                + " is not served at "
                                + settings.baseUrl()
                                + "; it serves "
                                + String.join(", ", models.keySet()));
            }
            if (context > 0 && context < settings.contextTokens()) {
                throw new ServerRefusedException(
                        "rollout.contextTokens: "
                                + settings.contextTokens()
                                + " is more than the "
                                + context
                                + " that the server gives "
                                + settings.baseModel(),
                        null);
            }
        } catch (IllegalArgumentException e) {
            throw refused("baseUrl: " + e.getMessage());
        } catch (CompletionException e) {
            throw unreachable(TinkerException.of(e));
        }
    }

    /**
     * Trains a throw-away adapter to see how the server behaves, and makes one for each run.
     *
     * @param runs that are to train at the same time
     * @throws ServerRefusedException when the server makes no adapter of this rank, or has no slot
     *     for each run
     */
    public ServerTraits probe(int runs) throws ServerRefusedException {
        List<TinkerTrainerSession> made = new ArrayList<>();
        try (TinkerTrainer trainer = new TinkerTrainer(impatient(), key);
                TinkerSampler sampler = new TinkerSampler(settings, key)) {
            try {
                made.add(trainer.open("millrace-probe", ""));
                ServerTraits traits =
                        new ServerProbe(settings, made.get(0).model(), sampler).traits();
                while (made.size() < runs) {
                    made.add(trainer.open("millrace-probe-" + made.size(), ""));
                }
                return traits;
            } finally {
                made.stream().map(TinkerTrainerSession::end).toList().forEach(ServerCheck::done);
            }
        } catch (TrainerException e) {
            throw unmade(e, made.size(), runs);
        } catch (CompletionException e) {
            throw refused("baseUrl: the server failed a probe: " + e.getCause().getMessage());
        }
    }

    /** The server drops an adapter that it is not heard to have dropped. */
    private static void done(CompletableFuture<Void> unloaded) {
        unloaded.exceptionally(unheard -> null)
                .completeOnTimeout(null, UNLOAD_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    private TinkerSettings impatient() {
        TinkerTimes times = settings.times();
        return settings.with(
                new TinkerTimes(
                        times.connect(),
                        times.submit(),
                        times.poll(),
                        times.heartbeat(),
                        Math.min(PATIENCE_MILLIS, times.retry()),
                        0,
                        times.backoff()));
    }

    private ServerRefusedException unreachable(TinkerException e) {
        return switch (e.kind()) {
            case UNAUTHORIZED ->
                    refused(
                            key.header().isPresent()
                                    ? "baseUrl: the server at "
                                            + settings.baseUrl()
                                            + " refuses the key in "
                                            + ApiKey.VARIABLE
                                    : "baseUrl: the server at "
                                            + settings.baseUrl()
                                            + " asks for a key: set "
                                            + ApiKey.VARIABLE);
            case NOT_FOUND, INVALID ->
                    refused(
                            "baseUrl: what answers at "
                                    + settings.baseUrl()
                                    + " does not speak the Tinker protocol");
            default ->
                    refused(
                            "baseUrl: "
                                    + e.getMessage()
                                    + "; start the server or correct the address");
        };
    }

    private ServerRefusedException unmade(TrainerException e, int made, int runs) {
        TinkerException why =
                e.getCause() instanceof TinkerException known ? known : TinkerException.of(e);
        if (why.noFreeSlot()) {
            return made == 0 ? noneFree(why) : tooFewFree(why, made, runs);
        }
        if (why.getMessage().contains("rank")) {
            return refused("rank: the server refuses it (" + why.getMessage() + ")");
        }
        return refused("baseModel: no adapter could be made (" + why.getMessage() + ")");
    }

    private ServerRefusedException noneFree(TinkerException why) {
        return refused(
                "baseUrl: the server at "
                        + settings.baseUrl()
                        + " has no free adapter slot ("
                        + why.getMessage()
                        + "); end another run or wait for its session to end");
    }

    private ServerRefusedException tooFewFree(TinkerException why, int free, int runs) {
        return new ServerRefusedException(
                "run.clients: "
                        + runs
                        + " runs need an adapter slot each, and the server at "
                        + settings.baseUrl()
                        + " has "
                        + free
                        + " free ("
                        + why.getMessage()
                        + "); set run.clients to at most "
                        + free
                        + ", end other runs, or start the server with more slots",
                null);
    }

    private static ServerRefusedException refused(String what) {
        return new ServerRefusedException(SECTION + what, null);
    }
}
