package dev.millrace.backends.tinker;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.port.PolicyBackend;
import java.io.IOException;
import java.util.List;

/** A trainer and a sampler of a fake server. */
record TinkerBackend(FakeTinkerServer server, TinkerTrainer trainer, TinkerSampler sampler)
        implements PolicyBackend {
    static final TinkerTimes QUICK = new TinkerTimes(2_000, 5_000, 5_000, 100, 5_000, 3_000, 5);

    static TinkerBackend usual() throws IOException {
        return of(new FakeTinkerServer(ServerShape.usual()));
    }

    static TinkerBackend of(FakeTinkerServer server) {
        return of(server, ServerTraits.asSpecified());
    }

    static TinkerBackend of(FakeTinkerServer server, ServerTraits traits) {
        TinkerSettings settings = settings(server).with(traits);
        ApiKey key = ApiKey.of(server.shape().key());
        return new TinkerBackend(
                server, new TinkerTrainer(settings, key), new TinkerSampler(settings, key));
    }

    static TinkerSettings settings(FakeTinkerServer server) {
        ServerShape shape = server.shape();
        return new TinkerSettings(
                server.url() + "/",
                shape.model(),
                4,
                1,
                shape.context(),
                shape.vocabulary(),
                List.of(0),
                ServerTraits.asSpecified(),
                QUICK);
    }

    @Override
    public int vocabulary() {
        return server.shape().vocabulary();
    }

    @Override
    public void close() {
        sampler.close();
        trainer.close();
        server.close();
    }
}
