package dev.millrace.backends.embedded;

import static dev.millrace.backends.embedded.PolicyFixtures.ADAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTrainerTest {
    private static final LossSpec SPEC = new LossSpec(0.8, 1.28);

    @TempDir private Path directory;
    private EmbeddedTrainer trainer;

    @BeforeEach
    void start() {
        trainer = new EmbeddedTrainer(directory, PolicyFixtures.TINY, 7);
    }

    @AfterEach
    void stop() {
        trainer.close();
    }

    @Test
    void goesOnBitForBitFromASavedState() throws IOException {
        TrainerSession first = trainer.open("first", "");
        step(first, 1);
        step(first, 2);
        String state = first.saveState("after2").join();
        step(first, 3);
        TrainerSession second = trainer.open("second", state);
        step(second, 3);
        assertThat(bytes(second.saveState("after3").join()))
                .isEqualTo(bytes(first.saveState("after3").join()));
    }

    @Test
    void repeatsItselfFromTheSameSeed() throws IOException {
        TrainerSession one = trainer.open("one", "");
        TrainerSession two = trainer.open("two", "");
        step(one, 1);
        step(two, 1);
        assertThat(bytes(one.publish("p").join())).isEqualTo(bytes(two.publish("p").join()));
    }

    @Test
    void neverChangesWhatItPublished() throws IOException {
        TrainerSession session = trainer.open("s", "");
        String uri = session.publish("v0").join();
        byte[] before = bytes(uri);
        step(session, 1);
        assertThatThrownBy(() -> session.publish("v0").join())
                .hasCauseInstanceOf(TrainerException.class)
                .hasMessageContaining("exists");
        assertThat(bytes(uri)).isEqualTo(before);
        assertThat(bytes(session.publish("v1").join())).isNotEqualTo(before);
        assertThat(directory.resolve("policies")).isDirectoryNotContaining("glob:**/.partial-*");
    }

    @Test
    void refusesToSaveAStateOverAnother() {
        TrainerSession session = trainer.open("s", "");
        session.saveState("a").join();
        assertThatThrownBy(() -> session.saveState("a").join())
                .hasCauseInstanceOf(TrainerException.class);
    }

    @Test
    void refusesToSaveWhileAGradientWaitsForItsUpdate() {
        TrainerSession session = trainer.open("s", "");
        session.forwardBackward("e", data(1), SPEC).join();
        assertThatThrownBy(() -> session.saveState("a").join())
                .hasMessageContaining("gradient is waiting");
        session.optimStep("o", ADAM).join();
        assertThat(session.saveState("a").join()).startsWith("file:");
    }

    @Test
    void addsUpGradientsUntilTheUpdate() {
        TrainerSession whole = trainer.open("whole", "");
        TrainerSession parts = trainer.open("parts", "");
        List<Datum> data = data(1);
        whole.forwardBackward("e", data, SPEC).join();
        data.forEach(datum -> parts.forwardBackward("e", List.of(datum), SPEC).join());
        double norm = whole.optimStep("o", ADAM).join().gradientNorm();
        assertThat(parts.optimStep("o", ADAM).join().gradientNorm())
                .isCloseTo(norm, within(1e-5 * norm));
        assertThat(parts.optimStep("o", ADAM).join().gradientNorm()).isZero();
    }

    @Test
    void skipsAnUpdateWhoseGradientIsNotFinite() throws IOException {
        TrainerSession session = trainer.open("s", "");
        byte[] before = bytes(session.saveState("before").join());
        Datum datum = PolicyFixtures.datum(1, 11, 8, Double.POSITIVE_INFINITY);
        session.forwardBackward("e", List.of(datum), SPEC).join();
        OptimResult result = session.optimStep("o", ADAM).join();
        assertThat(result.skipped()).isTrue();
        assertThat(bytes(session.saveState("after").join())).isEqualTo(before);
        step(session, 1);
        assertThat(bytes(session.saveState("later").join())).isNotEqualTo(before);
    }

    @Test
    void boundsTheNormOfTheGradient() {
        Weights weights = Weights.zeros(PolicyFixtures.TINY);
        Weights gradient = Weights.zeros(PolicyFixtures.TINY);
        gradient.get(Layout.FINAL_BIAS)[0] = 30f;
        gradient.get(Layout.FINAL_BIAS)[1] = 40f;
        AdamSpec spec = new AdamSpec(0.1, 0.9, 0.95, 0, 0, 5);
        Adam after = Adam.fresh(PolicyFixtures.TINY).update(weights, gradient, spec);
        // 50 is scaled to 5: the moments see 3 and 4.
        assertThat(after.first().get(Layout.FINAL_BIAS)[0]).isCloseTo(0.3f, within(1e-6f));
        assertThat(after.second().get(Layout.FINAL_BIAS)[1]).isCloseTo(0.8f, within(1e-6f));
        assertThat(weights.get(Layout.FINAL_BIAS)[0]).isCloseTo(-0.1f, within(1e-6f));
        assertThat(after.steps()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsNoStateAndNamesThatAreNone() {
        TrainerSession session = trainer.open("s", "");
        String publication = session.publish("p").join();
        assertThatThrownBy(() -> trainer.open("t", publication))
                .hasMessageContaining("is a publication");
        assertThatThrownBy(() -> trainer.open("t", directory.resolve("none").toUri().toString()))
                .isInstanceOf(TrainerException.class);
        assertThatThrownBy(() -> trainer.open("../t", "")).hasMessageContaining("is no name");
    }

    @Test
    void noticesADamagedState() throws IOException {
        String state = trainer.open("s", "").saveState("a").join();
        byte[] damaged = bytes(state);
        damaged[damaged.length / 2] ^= 1;
        Path copy = Files.write(directory.resolve("damaged"), damaged);
        assertThatThrownBy(() -> trainer.open("t", copy.toUri().toString()))
                .rootCause()
                .hasMessageContaining("damaged");
    }

    @Test
    void refusesCallsAfterItsEnd() {
        TrainerSession session = trainer.open("s", "");
        session.close();
        assertThatThrownBy(() -> session.publish("p").join()).hasMessageContaining("is closed");
    }

    private static void step(TrainerSession session, long seed) {
        session.forwardBackward("fb-" + seed, data(seed), SPEC).join();
        session.optimStep("os-" + seed, ADAM).join();
    }

    private static List<Datum> data(long seed) {
        return List.of(
                PolicyFixtures.datum(seed, 11, 9, 0.5), PolicyFixtures.datum(-seed, 11, 12, -0.3));
    }

    private static byte[] bytes(String uri) throws IOException {
        return Files.readAllBytes(Path.of(URI.create(uri)));
    }
}
