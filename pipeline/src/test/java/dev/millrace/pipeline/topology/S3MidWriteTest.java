package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.store.ObjectTrajectoryStore;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.adapters.FlinkObjects;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.GroupRecord;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.PluginDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bucket whose server goes away in the middle of a write, and comes back. */
@Timeout(600)
class S3MidWriteTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STEPS = 12;
    private static final String BUCKET = "s3a://" + S3Server.BUCKET;

    @TempDir Path folder;
    private S3Server server;
    private CutConnections cutting;

    @BeforeEach
    void startServer() throws Exception {
        server = S3Server.start(folder);
        cutting = CutConnections.before(server.port());
        Configuration settings = new Configuration();
        settings.setString("s3.endpoint", "http://127.0.0.1:" + cutting.port());
        settings.setString("s3.path.style.access", "true");
        settings.setString("s3.access-key", "any");
        settings.setString("s3.secret-key", "any");
        settings.setString("s3.directory.marker.retention", "keep");
        // A write that was cut fails at once, and not after minutes of repetition.
        settings.setString("s3.attempts.maximum", "1");
        settings.setString("s3.retry.limit", "1");
        settings.setString("s3.retry.interval", "100ms");
        Path plugin = S3Server.PARTS.resolve("plugin.jar").toAbsolutePath();
        assertThat(plugin).as("the build copies it").exists();
        PluginDescriptor s3 =
                new PluginDescriptor("s3", new URL[] {plugin.toUri().toURL()}, new String[0]);
        FileSystem.initialize(
                settings,
                new DefaultPluginManager(
                        List.of(s3), CoreOptions.getPluginParentFirstLoaderPatterns(settings)));
    }

    @AfterEach
    void stopServer() throws Exception {
        cutting.close();
        server.close();
        FileSystem.initialize(new Configuration(), null);
    }

    @Test
    void halfATrajectoryIsNeverSeenAndIsWrittenWholeLater() throws Exception {
        byte[] content = new byte[200_000];
        new Random(1).nextBytes(content);
        FlinkObjects objects = new FlinkObjects();
        ObjectTrajectoryStore store =
                new ObjectTrajectoryStore(objects, URI.create(BUCKET + "/trajectories"));
        cutting.cutNext("PUT /millrace/trajectories/");
        assertThatThrownBy(() -> store.put("run/g1", ".bin", content))
                .isInstanceOf(IOException.class);
        assertThat(cutting.awaitCut(0)).as("in the middle").isTrue();
        cutting.comeBack();
        assertThat(files("trajectories")).isEmpty();
        ContentRef ref = store.put("run/g1", ".bin", content);
        assertThat(store.get(ref)).isEqualTo(content);
        assertThat(files("trajectories")).hasSize(1);
        assertThat(server.openUploads()).isZero();
    }

    @Test
    void aRunOutlivesWritesOfItsLedgerAndItsCheckpointsThatWereCut() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run =
                        FakeRun.onLedger(
                                broker,
                                folder,
                                "cut",
                                BUCKET + "/ledger",
                                100,
                                "train.steps=" + STEPS)) {
            run.checkpointsAt(BUCKET + "/checkpoints");
            run.start(null);
            awaitCompleted(run, 1);
            failOn(run, "PUT /millrace/checkpoints/");
            failOn(run, "PUT /millrace/ledger/");
            assertThat(run.restarts("Decode for the ledger")).isPositive();
            assertThat(run.restarts("Play attempts")).as("other regions go on").isZero();
            assertThat(run.restarts("Train")).isZero();
            assertThat(run.end()).isEqualTo("FINISHED");
            LoopTest.assertEverythingIsAccountedFor(run, STEPS);
            assertThat(groupsOfTheLedger())
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(groupsOf(run));
        }
        assertThat(server.openUploads())
                .as("parts that nobody refers to any more are left to a rule of the bucket")
                .isPositive();
    }

    /** Cuts a write, keeps the server away until a checkpoint has failed by it, and goes on. */
    private void failOn(FakeRun run, String request) throws Exception {
        long failed = run.checkpoints().getNumberOfFailedCheckpoints();
        cutting.cutNext(request);
        assertThat(cutting.awaitCut(PATIENCE.toSeconds())).as(request).isTrue();
        await().atMost(PATIENCE)
                .until(() -> run.checkpoints().getNumberOfFailedCheckpoints() > failed);
        assertThat(run.isOver()).isFalse();
        long completed = run.checkpoints().getNumberOfCompletedCheckpoints();
        cutting.comeBack();
        awaitCompleted(run, completed + 1);
    }

    private static void awaitCompleted(FakeRun run, long checkpoints) {
        await().atMost(PATIENCE)
                .until(() -> run.checkpoints().getNumberOfCompletedCheckpoints() >= checkpoints);
    }

    private List<String> groupsOfTheLedger() throws IOException {
        return new LedgerReader(server.bucket().resolve("ledger"))
                .rows(LedgerTable.GROUPS).stream()
                        .map(row -> row.get("group_id").toString())
                        .toList();
    }

    private static List<String> groupsOf(FakeRun run) {
        return run.read(run.topics().groups(), GroupRecord.class).stream()
                .filter(group -> !group.drained())
                .map(GroupRecord::groupId)
                .distinct()
                .toList();
    }

    private List<Path> files(String below) throws IOException {
        Path start = server.bucket().resolve(below);
        if (!Files.exists(start)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(start)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
