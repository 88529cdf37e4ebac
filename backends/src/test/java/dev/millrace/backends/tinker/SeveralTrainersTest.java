package dev.millrace.backends.tinker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.port.TrainerSession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Trainers of several runs on one server. */
class SeveralTrainersTest {
    private static final List<String> SWEPT_SLOT =
            List.of("create_model", "optim_step", "unload_model", "create_model");

    @Test
    void noneTakesTheSlotThatAnotherHasSwept() throws IOException {
        try (FakeTinkerServer server = new FakeTinkerServer(ServerShape.usual())) {
            server.faults().operationMillis(20);
            ServerTraits traits = new ServerTraits(true, false, ServerTraits.Reduction.SUM);
            TinkerSettings settings = TinkerBackend.settings(server).with(traits);
            ApiKey key = ApiKey.of(server.shape().key());
            try (TinkerTrainer first = new TinkerTrainer(settings, key);
                    TinkerTrainer second = new TinkerTrainer(settings, key)) {
                CompletableFuture<TrainerSession> other =
                        CompletableFuture.supplyAsync(() -> first.open("a", ""));
                try (TrainerSession one = second.open("b", "");
                        TrainerSession two = other.join()) {
                    assertThat(one).isNotSameAs(two);
                    assertThat(server.log())
                            .filteredOn(SWEPT_SLOT::contains)
                            .containsExactlyElementsOf(
                                    Stream.of(SWEPT_SLOT, SWEPT_SLOT)
                                            .flatMap(List::stream)
                                            .toList());
                }
            }
        }
    }
}
