package dev.millrace.backends.port;

import static dev.millrace.backends.port.PolicyBackend.ADAM;
import static dev.millrace.backends.port.PolicyBackend.LOSS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every trainer has to do. */
public abstract class PolicyTrainerContract {
    protected PolicyBackend backend;

    /** A fresh backend. */
    protected abstract PolicyBackend newBackend() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        backend = newBackend();
    }

    @AfterEach
    final void close() {
        backend.close();
    }

    private TrainerSession session(String name) {
        return backend.trainer().open(name, "");
    }

    private static void refuses(CompletableFuture<?> answer) {
        assertThatThrownBy(answer::join).hasCauseInstanceOf(TrainerException.class);
    }

    @Test
    void goesOnBitForBitFromASavedState() {
        TrainerSession straight = session("a");
        backend.step(straight, 1);
        backend.step(straight, 2);
        String state = straight.saveState("a-step2").join();
        backend.step(straight, 3);
        TrainerSession resumed = backend.trainer().open("b", state);
        backend.step(resumed, 3);
        assertThat(backend.probe(resumed.publish("b-step3").join()))
                .isEqualTo(backend.probe(straight.publish("a-step3").join()));
    }

    @Test
    void startsEverySessionFromTheSameInitialPolicy() {
        TrainerSession one = session("a");
        TrainerSession two = session("b");
        backend.step(one, 1);
        backend.step(two, 1);
        assertThat(backend.probe(one.publish("p").join()))
                .isEqualTo(backend.probe(two.publish("q").join()));
    }

    @Test
    void neverChangesWhatItPublished() {
        assumeTrue(backend.keepsPublications(), "this server changes what it has published");
        TrainerSession session = session("a");
        String first = session.publish("v0").join();
        float[] before = backend.probe(first);
        backend.step(session, 1);
        String second = session.publish("v1").join();
        assertThat(backend.probe(second)).isNotEqualTo(before);
        assertThat(backend.probe(first)).isEqualTo(before);
        backend.step(session, 2);
        assertThat(backend.probe(session.publish("v2").join())).isNotEqualTo(backend.probe(second));
    }

    @Test
    void refusesNamesThatAreTaken() {
        TrainerSession session = session("a");
        session.publish("p").join();
        refuses(session.publish("p"));
        session.saveState("s").join();
        refuses(session.saveState("s"));
    }

    @Test
    void refusesToSaveWhileAGradientWaitsForItsUpdate() {
        TrainerSession session = session("a");
        session.forwardBackward("f", backend.data(1), LOSS).join();
        refuses(session.saveState("early"));
        session.optimStep("o", ADAM).join();
        assertThat(session.saveState("late").join()).isNotEmpty();
    }

    @Test
    void addsUpGradientsUntilTheUpdate() {
        assumeTrue(backend.addsGradients(), "this server averages: one gradient for each update");
        TrainerSession whole = session("whole");
        TrainerSession parts = session("parts");
        List<Datum> data = backend.data(1);
        whole.forwardBackward("e", data, LOSS).join();
        data.forEach(datum -> parts.forwardBackward("e", List.of(datum), LOSS).join());
        double norm = whole.optimStep("o", ADAM).join().gradientNorm();
        assertThat(norm).isPositive();
        assertThat(parts.optimStep("o", ADAM).join().gradientNorm())
                .isCloseTo(norm, within(1e-5 * norm));
        assertThat(parts.optimStep("o", ADAM).join().gradientNorm()).isZero();
    }

    @Test
    void measuresTheClippedObjective() {
        TrainerSession session = session("a");
        String published = session.publish("v0").join();
        List<Datum> data = backend.data(3);
        LossResult result = session.forwardBackward("f", data, LOSS).join();
        double loss = 0;
        double clipped = 0;
        long tokens = 0;
        for (Datum datum : data) {
            float[] now =
                    backend.sampler()
                            .computeLogprobs(PolicyBackend.ref(published), datum.tokens())
                            .join();
            for (int i = 0; i < now.length; i++) {
                double advantage = datum.advantages()[i];
                if (advantage != 0) {
                    double ratio = Math.exp(now[i] - datum.behaviorLogprobs()[i]);
                    double bounded = Math.min(Math.max(ratio, 0.8), 1.28);
                    loss -= Math.min(ratio * advantage, bounded * advantage);
                    clipped += advantage > 0 ? (ratio > 1.28 ? 1 : 0) : (ratio < 0.8 ? 1 : 0);
                    tokens++;
                }
            }
        }
        assertThat(result.tokens()).isEqualTo(tokens);
        assertThat(result.loss()).isCloseTo(loss, within(1e-3 * Math.abs(loss)));
        assertThat(result.clippedFraction()).isCloseTo(clipped / tokens, within(1e-9));
    }

    @Test
    void learnsNothingFromMaskedTokens() {
        TrainerSession session = session("a");
        float[] before = backend.probe(session.publish("v0").join());
        session.forwardBackward("f", List.of(backend.datum(5, 10, 0)), LOSS).join();
        assertThat(session.optimStep("o", ADAM).join().gradientNorm()).isZero();
        assertThat(backend.probe(session.publish("v1").join())).isEqualTo(before);
    }

    @Test
    void carriesCallsOutInOrderWithoutWaitingForAnswers() {
        TrainerSession waiting = session("a");
        backend.step(waiting, 1);
        String expected = waiting.publish("v1").join();
        TrainerSession session = session("b");
        CompletableFuture<LossResult> loss = session.forwardBackward("f", backend.data(1), LOSS);
        CompletableFuture<OptimResult> update = session.optimStep("o", ADAM);
        CompletableFuture<String> saved = session.saveState("s1");
        CompletableFuture<String> published = session.publish("v1");
        assertThat(backend.probe(published.join())).isEqualTo(backend.probe(expected));
        assertThat(List.of(loss, update, saved)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void refusesDataThatMakeNoSense() {
        TrainerSession session = session("a");
        Datum uneven = new Datum(new int[] {1, 2}, new float[] {0, 1}, new float[] {0});
        refuses(session.forwardBackward("f", List.of(uneven), LOSS));
        Datum unknown =
                new Datum(
                        new int[] {1, backend.vocabulary()},
                        new float[] {0, 1},
                        new float[] {0, -1});
        refuses(session.forwardBackward("g", List.of(unknown), LOSS));
    }

    @Test
    void refusesWhatIsNoSavedState() {
        String publication = session("a").publish("p").join();
        assertThatThrownBy(() -> backend.trainer().open("b", publication))
                .isInstanceOf(TrainerException.class);
        assertThatThrownBy(() -> backend.trainer().open("c", publication + "-none"))
                .isInstanceOf(TrainerException.class);
    }

    @Test
    void saysThatASessionIsOverAfterItsEnd() {
        TrainerSession session = session("a");
        session.close();
        assertThatThrownBy(() -> session.publish("p").join())
                .cause()
                .isInstanceOfSatisfying(
                        TrainerException.class,
                        e -> assertThat(e.kind()).isEqualTo(TrainerException.Kind.SESSION_LOST));
    }
}
