package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.tinker.ServerTraits;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole job with a policy behind a server that fails on the way. */
class ServedPolicyTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir Path folder;

    @Test
    void outlivesARestartOfTheServerAndLostAnswers() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeTinkerServer server = new FakeTinkerServer(ServedBackends.shape());
                FakeRun run =
                        new FakeRun(
                                broker,
                                folder,
                                "served",
                                ServedBackends.of(server, folder),
                                "train.steps=6")) {
            server.faults()
                    .loseReplies("create_model", 1)
                    .loseReplies("forward_backward", 1)
                    .loseReplies("optim_step", 1)
                    .loseReplies("save_weights", 1)
                    .loseReplies("asample", 3);
            run.start(null);
            await().atMost(PATIENCE).until(() -> newest(publications(run)) >= 3);
            server.forgetModels();
            assertThat(run.end()).isEqualTo("FINISHED");
            List<PolicyRecord> publications = publications(run);
            assertThat(newest(publications)).isEqualTo(6);
            Set<String> places =
                    publications.stream().map(PolicyRecord::uri).collect(Collectors.toSet());
            assertThat(places).hasSameSizeAs(publications);
            assertThat(run.read(run.topics().rejects(), Reject.class))
                    .extracting(Reject::reason)
                    .containsOnly("trainer_session_lost");
            assertThat(publications)
                    .filteredOn(published -> published.step() > 0)
                    .allSatisfy(
                            published -> assertThat(published.metrics().get("loss")).isNotNaN());
        }
    }

    @Test
    void ofTwoClientsTheOneThatTheServerRefusesEndsAlone() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeTinkerServer server = new FakeTinkerServer(ServedBackends.shape());
                FakeRun job =
                        new FakeRun(
                                broker,
                                folder,
                                "clients",
                                ServedBackends.of(server, folder),
                                "run.clients=2",
                                "train.steps=4")) {
            job.start(null);
            await().atMost(PATIENCE).until(() -> newest(publications(job)) >= 1);
            server.faults().refuse("forward_backward", 400, 1);
            assertThat(job.end()).isEqualTo("FINISHED");
            List<String> failed =
                    job.read(job.topics().policies(), PolicyRecord.class).stream()
                            .filter(record -> record.kind() == PolicyRecord.Kind.FAILED)
                            .map(PolicyRecord::runId)
                            .toList();
            assertThat(failed).hasSize(1);
            assertThat(newest(ofRun(job, failed.get(0)))).isLessThan(4);
            job.runIds().stream()
                    .filter(run -> !failed.contains(run))
                    .forEach(run -> assertThat(newest(ofRun(job, run))).isEqualTo(4));
        }
    }

    private static List<PolicyRecord> ofRun(FakeRun job, String run) {
        return publications(job).stream().filter(p -> p.runId().equals(run)).toList();
    }

    /** Nobody can sample the newest policy any more, and nobody asks the trainer for anything. */
    @Test
    void outlivesARestartThatTakesThePublicationsAway() throws Exception {
        ServerTraits traits = new ServerTraits(true, false, ServerTraits.Reduction.SUM);
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeTinkerServer server = new FakeTinkerServer(ServedBackends.shape());
                FakeRun run =
                        new FakeRun(
                                broker,
                                folder,
                                "gone",
                                ServedBackends.of(server, folder, traits),
                                "train.steps=4",
                                "train.maxLag=0",
                                "run.determinism=lockstep")) {
            server.faults().overwritesPublications().knowsLostModels();
            run.start(null);
            await().atMost(PATIENCE).until(() -> newest(publications(run)) >= 2);
            server.forgetModels();
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(newest(publications(run))).isEqualTo(4);
            assertThat(run.restarts("Train")).isPositive();
        }
    }

    private static List<PolicyRecord> publications(FakeRun run) {
        return run.read(run.topics().policies(), PolicyRecord.class).stream()
                .filter(record -> record.kind() == PolicyRecord.Kind.PUBLICATION)
                .toList();
    }

    private static long newest(List<PolicyRecord> publications) {
        return publications.stream().mapToLong(PolicyRecord::step).max().orElse(-1);
    }
}
