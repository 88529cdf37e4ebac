package dev.millrace.backends.tinker;

import dev.millrace.backends.port.TrainerException;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * Asks a server, before a run starts, whether it can do what the run needs. Blocks. Each refusal is
 * one message that names the setting.
 */
public final class ServerCheck {
    private static final long PATIENCE_MILLIS = 2_000;
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
     * Trains a throw-away adapter to see how the server behaves.
     *
     * @throws ServerRefusedException when the server makes no adapter of this rank, or has no slot
     *     for one
     */
    public ServerTraits probe() throws ServerRefusedException {
        try (TinkerTrainer trainer = new TinkerTrainer(impatient(), key);
                TinkerSampler sampler = new TinkerSampler(settings, key);
                TinkerTrainerSession session = trainer.open("millrace-probe", "")) {
            return new ServerProbe(settings, session.model(), sampler).traits();
        } catch (TrainerException e) {
            throw unmade(e);
        } catch (CompletionException e) {
            throw refused("baseUrl: the server failed a probe: " + e.getCause().getMessage());
        }
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

    private ServerRefusedException unmade(TrainerException e) {
        TinkerException why =
                e.getCause() instanceof TinkerException known ? known : TinkerException.of(e);
        if (why.noFreeSlot()) {
            return refused(
                    "baseUrl: the server at "
                            + settings.baseUrl()
                            + " has no free adapter slot ("
                            + why.getMessage()
                            + "); end another run or wait for its session to end");
        }
        if (why.getMessage().contains("rank")) {
            return refused("rank: the server refuses it (" + why.getMessage() + ")");
        }
        return refused("baseModel: no adapter could be made (" + why.getMessage() + ")");
    }

    private static ServerRefusedException refused(String what) {
        return new ServerRefusedException(SECTION + what, null);
    }
}
