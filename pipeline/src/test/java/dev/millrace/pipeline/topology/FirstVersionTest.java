package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Reject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A savepoint made by the first version that landed goes on for ever. It was taken in mid-flight,
 * behind step 4 of 8, with 8 attempts open; the broker's folder, the trajectories and the ledger
 * that belong to it lie beside it. It is never made anew.
 */
class FirstVersionTest {
    private static final String RUN = "first";

    /** Relative, since a savepoint names the folders of its sinks. */
    private static final Path LEDGER = Path.of("target/first-version/ledger");

    @TempDir private Path folder;

    @BeforeEach
    void unpack() throws IOException {
        remove(LEDGER.getParent());
        try (InputStream file = getClass().getResourceAsStream("/golden/first-version.zip");
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                boolean ledger = entry.getName().startsWith("ledger/");
                Path target = (ledger ? LEDGER.getParent() : folder).resolve(entry.getName());
                Files.createDirectories(target.getParent());
                Files.write(target, zip.readAllBytes());
            }
        }
    }

    @AfterEach
    void cleanUp() throws IOException {
        remove(LEDGER.getParent());
    }

    @Test
    void aSavepointMadeByTheFirstVersionThatLandedGoesOn() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"));
                FakeRun run =
                        FakeRun.begun(
                                broker,
                                folder.resolve("work"),
                                RUN,
                                LEDGER.toString(),
                                "train.steps=8",
                                "train.saveEverySteps=50")) {
            for (String line : Files.readAllLines(folder.resolve("store.txt"))) {
                int space = line.indexOf(' ');
                byte[] bytes = Base64.getDecoder().decode(line.substring(space + 1));
                store(run, line.substring(0, space), bytes);
            }
            run.start(folder.resolve("savepoint").toUri().toString());
            assertThat(run.end()).isEqualTo("FINISHED");
            LoopTest.assertEverythingIsAccountedFor(run, 8);
            assertThat(run.read(run.topics().rejects(), Reject.class)).isEmpty();
            assertTheLedgerHasEachGroupOnce(run);
        }
    }

    private static void assertTheLedgerHasEachGroupOnce(FakeRun run) throws IOException {
        List<String> closed =
                run.read(run.topics().groups(), GroupRecord.class).stream()
                        .filter(group -> !group.drained())
                        .map(GroupRecord::groupId)
                        .distinct()
                        .toList();
        List<GenericRecord> rows = new LedgerReader(LEDGER).rows(LedgerTable.GROUPS);
        assertThat(rows)
                .extracting(row -> row.get("group_id").toString())
                .containsExactlyInAnyOrderElementsOf(closed);
        assertThat(new LedgerReader(LEDGER).rows(LedgerTable.ACCOUNTS)).isNotEmpty();
    }

    /** Puts content where it was: its address is made of its folder, its digest and its suffix. */
    private static void store(FakeRun run, String uri, byte[] bytes) {
        String path = uri.substring("memory:/".length());
        int slash = path.lastIndexOf('/');
        String suffix = path.substring(slash + 1 + 64);
        var ref = run.backends.world().store().put(path.substring(0, slash), suffix, bytes);
        assertThat(ref.uri()).isEqualTo(uri);
    }

    private static void remove(Path root) throws IOException {
        if (Files.exists(root)) {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
