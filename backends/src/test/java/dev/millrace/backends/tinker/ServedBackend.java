package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A trainer and a sampler of a server that runs elsewhere, named by the environment. */
record ServedBackend(TinkerSettings settings, ClosingTrainer trainer, TinkerSampler sampler)
        implements PolicyBackend {
    /** Where the server listens. Without it, tests of a real server are skipped. */
    static final String URL = "MILLRACE_TINKER_URL";

    static final String WHY =
            "needs a server of the Tinker protocol at " + URL + "; bench/skyrl/start starts one";

    private static final String VOCABULARY = "MILLRACE_TINKER_VOCABULARY";
    private static final String STOPS = "MILLRACE_TINKER_STOPS";
    private static final TinkerTimes PATIENT =
            new TinkerTimes(5_000, 120_000, 310_000, 5_000, 600_000, 600_000, 500);

    private static TinkerSettings probed;

    /** The server is looked at once. */
    static synchronized ServedBackend open() throws ServerRefusedException {
        if (probed == null) {
            TinkerSettings settings = ofEnvironment();
            new ServerCheck(settings).reachable();
            probed = settings.with(new ServerCheck(settings).probe(1));
        }
        return new ServedBackend(
                probed, new ClosingTrainer(new TinkerTrainer(probed)), new TinkerSampler(probed));
    }

    /** The server's first model, at a rank that every server has. */
    static TinkerSettings ofEnvironment() {
        Map<String, String> environment = System.getenv();
        TinkerSettings settings =
                new TinkerSettings(
                        environment.get(URL),
                        "",
                        4,
                        1,
                        512,
                        Integer.parseInt(environment.getOrDefault(VOCABULARY, "256")),
                        Arrays.stream(environment.getOrDefault(STOPS, "0").split(","))
                                .map(Integer::valueOf)
                                .toList(),
                        ServerTraits.asSpecified(),
                        PATIENT);
        try (TinkerClient client = new TinkerClient(settings, ApiKey.fromEnvironment())) {
            return of(settings, client.models().join().keySet().iterator().next());
        }
    }

    private static TinkerSettings of(TinkerSettings settings, String model) {
        return new TinkerSettings(
                settings.baseUrl(),
                model,
                settings.rank(),
                settings.seed(),
                settings.contextTokens(),
                settings.vocabulary(),
                List.copyOf(settings.stopTokens()),
                settings.traits(),
                settings.times());
    }

    @Override
    public int vocabulary() {
        return settings.vocabulary();
    }

    @Override
    public boolean keepsPublications() {
        return settings.traits().immutablePublications();
    }

    @Override
    public float rounding() {
        return 1e-4f;
    }

    @Override
    public boolean addsGradients() {
        return settings.traits().reduction() == Reduction.SUM;
    }

    @Override
    public void close() {
        sampler.close();
        trainer.close();
    }
}
