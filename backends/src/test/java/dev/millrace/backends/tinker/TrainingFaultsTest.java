package dev.millrace.backends.tinker;

import static dev.millrace.backends.port.PolicyBackend.ADAM;
import static dev.millrace.backends.port.PolicyBackend.LOSS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerException.Kind;
import dev.millrace.backends.port.TrainerSession;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingFaultsTest {
    private TinkerBackend backend;

    private FakeTinkerServer start(ServerShape shape) throws IOException {
        backend = TinkerBackend.of(new FakeTinkerServer(shape));
        return backend.server();
    }

    private FakeTinkerServer start() throws IOException {
        return start(ServerShape.usual());
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private TrainerSession open(String name) {
        return backend.trainer().open(name, "");
    }

    private static Kind endOf(CompletableFuture<?> answer) {
        try {
            answer.join();
            throw new AssertionError("it was answered");
        } catch (java.util.concurrent.CompletionException e) {
            return ((TrainerException) e.getCause()).kind();
        }
    }

    @Test
    void gathersAndStepsOnceWhenAnswersAreLost() throws IOException {
        FakeTinkerServer server = start();
        server.faults().loseReplies("forward_backward", 2).loseReplies("optim_step", 2);
        TrainerSession session = open("a");
        backend.step(session, 1);
        assertThat(server.counts().forwardBackwards()).isEqualTo(1);
        assertThat(server.counts().optimSteps()).isEqualTo(1);
        assertThat(server.log()).filteredOn("optim_step"::equals).hasSize(3);
        TrainerSession undisturbed = open("b");
        backend.step(undisturbed, 1);
        assertThat(backend.probe(session.publish("p").join()))
                .isEqualTo(backend.probe(undisturbed.publish("q").join()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward_backward", "optim_step"})
    void givesTheSessionUpWhenAnswersOfAForgetfulServerAreLost(String call) throws IOException {
        FakeTinkerServer server = new FakeTinkerServer(ServerShape.usual());
        backend =
                TinkerBackend.of(server, new ServerTraits(false, true, ServerTraits.Reduction.SUM));
        server.faults().forgetsNumbers().loseReplies(call, 1);
        TrainerSession session = open("a");
        CompletableFuture<LossResult> loss = session.forwardBackward("f", backend.data(1), LOSS);
        CompletableFuture<?> last = call.equals("optim_step") ? session.optimStep("o", ADAM) : loss;
        assertThat(endOf(last)).isEqualTo(Kind.SESSION_LOST);
        assertThat(endOf(session.publish("p"))).isEqualTo(Kind.SESSION_LOST);
        assertThat(server.log()).filteredOn(call::equals).hasSize(1);
        assertThat(server.counts().publications()).isZero();
    }

    @Test
    void leavesNoGradientToTheNextModelOfItsSlot() throws IOException {
        FakeTinkerServer server = start();
        server.faults().handsGradientsOn();
        TrainerSession session = open("a");
        session.forwardBackward("f", backend.data(1), LOSS).join();
        session.close();
        await().until(() -> server.counts().loadedModels() == 0);
        assertThat(open("b").optimStep("o", ADAM).join().gradientNorm()).isZero();
    }

    @Test
    void sweepsASlotInWhichAnotherHasLeftAGradient() throws IOException {
        FakeTinkerServer server = start();
        server.faults().handsGradientsOn();
        TinkerSettings settings = TinkerBackend.settings(server);
        ServerTraits traits = new ServerTraits(true, false, ServerTraits.Reduction.SUM);
        ApiKey key = ApiKey.of(server.shape().key());
        try (TinkerClient client = new TinkerClient(settings, key);
                TinkerTrainer trainer = new TinkerTrainer(settings.with(traits), key)) {
            String id = client.createModel(client.createSession("other").join()).join();
            var data = new LossData(settings).of(backend.data(1));
            new TinkerModel(client, id, 1).forwardBackward(data, LOSS).join();
            client.unload(id).join();
            TrainerSession session = trainer.open("a", "");
            assertThat(session.optimStep("o", ADAM).join().gradientNorm()).isZero();
        }
    }

    @Test
    void findsASaveWhoseAnswerWasLost() throws IOException {
        FakeTinkerServer server = start();
        server.faults()
                .loseReplies("save_weights", 1)
                .loseReplies("save_weights_for_sampler", 2)
                .operationMillis(20);
        TrainerSession session = open("a");
        String state = session.saveState("s.1").join();
        String publication = session.publish("p_1").join();
        assertThat(server.counts().saves()).isEqualTo(1);
        assertThat(server.counts().publications()).isEqualTo(1);
        backend.trainer().open("b", state).close();
        assertThat(backend.probe(publication)).hasSize(24);
    }

    @Test
    void leavesNoAdapterBehindWhenAnAnswerToItsCreationIsLost() throws IOException {
        FakeTinkerServer server = start(ServerShape.usual().with(4, 3_000));
        server.faults().loseReplies("create_model", 1);
        TrainerSession session = open("a");
        assertThat(server.counts().createdModels()).isEqualTo(2);
        await().until(() -> server.counts().loadedModels() == 1);
        backend.step(session, 1);
        session.close();
        await().until(() -> server.counts().loadedModels() == 0);
    }

    @Test
    void noticesThatTheServerHasEndedTheSession() throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        server.faults().operationMillis(3_000);
        CompletableFuture<LossResult> loss = session.forwardBackward("f", backend.data(1), LOSS);
        await().until(() -> server.log().contains("forward_backward"));
        server.forgetSessions();
        assertThat(endOf(loss)).isEqualTo(Kind.SESSION_LOST);
        assertThat(endOf(session.optimStep("o", ADAM))).isEqualTo(Kind.SESSION_LOST);
    }

    @Test
    void goesOnInANewModelWhenARestartedServerHasLostTheOldOne() throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        backend.step(session, 1);
        String state = session.saveState("a-step1").join();
        backend.step(session, 2);
        float[] expected = backend.probe(session.publish("a-step2").join());
        server.forgetModels();
        assertThat(endOf(session.forwardBackward("f", backend.data(3), LOSS)))
                .isEqualTo(Kind.SESSION_LOST);
        TrainerSession next = backend.trainer().open("a-s2", state);
        backend.step(next, 2);
        assertThat(backend.probe(next.publish("a-s2-step2").join())).isEqualTo(expected);
    }

    @Test
    void asksASlowServerOnceWhetherItsModelIsStillThere() throws IOException {
        ServerTraits traits = new ServerTraits(true, false, ServerTraits.Reduction.SUM);
        backend = TinkerBackend.of(new FakeTinkerServer(ServerShape.usual()), traits);
        FakeTinkerServer server = backend.server();
        open("a");
        server.faults().operationMillis(30_000);
        await().until(() -> server.log().contains("forward_backward"));
        long beats = server.log().stream().filter("session_heartbeat"::equals).count();
        await().until(
                        () ->
                                server.log().stream().filter("session_heartbeat"::equals).count()
                                        >= beats + 9);
        assertThat(server.log()).filteredOn("forward_backward"::equals).hasSize(1);
    }

    @Test
    void waitsForAnAdapterSlotThatBecomesFree() throws Exception {
        FakeTinkerServer server = start(ServerShape.usual().with(1, 60_000));
        TrainerSession first = open("a");
        CompletableFuture<TrainerSession> second = CompletableFuture.supplyAsync(() -> open("b"));
        await().until(() -> server.log().stream().filter("create_model"::equals).count() >= 2);
        assertThat(second).isNotDone();
        first.close();
        backend.step(second.join(), 1);
        assertThat(server.counts().loadedModels()).isEqualTo(1);
    }

    @Test
    void saysThatThereIsNoSlotWhenItsPatienceIsOver() throws IOException {
        start(ServerShape.usual().with(0, 60_000));
        assertThatThrownBy(() -> open("a"))
                .isInstanceOf(TrainerException.class)
                .hasMessageContaining("Maximum number of LoRA adapters (0)");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void asksAgainForResultsAfterPassingAnswers(int status) throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        server.faults().refuse("retrieve_future", status, 3).operationMillis(50);
        backend.step(session, 1);
        assertThat(server.counts().optimSteps()).isEqualTo(1);
    }

    @Test
    void waitsWhileTheServerHasPausedForWantOfCapacity() throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        server.faults().saysTryAgain().operationMillis(300);
        backend.step(session, 1);
        assertThat(server.counts().optimSteps()).isEqualTo(1);
    }

    @Test
    void endsTheSessionWhenAResultIsLostForGood() throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        server.faults().refuse("retrieve_future", 410, 1);
        assertThat(endOf(session.forwardBackward("f", backend.data(1), LOSS)))
                .isEqualTo(Kind.SESSION_LOST);
    }

    @Test
    void asksAgainWhenTheServerIsBusy() throws IOException {
        FakeTinkerServer server = start();
        TrainerSession session = open("a");
        server.faults().refuse("optim_step", 429, 2).refuse("save_weights", 429, 2);
        backend.step(session, 1);
        session.saveState("s").join();
        assertThat(server.counts().optimSteps()).isEqualTo(1);
        assertThat(server.counts().saves()).isEqualTo(1);
    }

    @Test
    void turnsTheMeanOfAServerIntoASum() throws IOException {
        start();
        TrainerSession sums = open("a");
        sums.forwardBackward("f", backend.data(1), LOSS).join();
        double norm = sums.optimStep("o", ADAM).join().gradientNorm();
        float[] expected = backend.probe(sums.publish("p").join());
        backend.close();
        FakeTinkerServer averaging = new FakeTinkerServer(ServerShape.usual());
        averaging.faults().averages();
        backend =
                TinkerBackend.of(
                        averaging, new ServerTraits(true, true, ServerTraits.Reduction.MEAN));
        TrainerSession means = open("a");
        means.forwardBackward("f", backend.data(1), LOSS).join();
        assertThatThrownBy(() -> means.forwardBackward("g", backend.data(2), LOSS).join())
                .hasMessageContaining("one gradient for each update");
        assertThat(means.optimStep("o", ADAM).join().gradientNorm())
                .isCloseTo(norm, within(1e-5 * norm));
        float[] found = backend.probe(means.publish("p").join());
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).isCloseTo(expected[i], within(1e-4f));
        }
    }

    @Test
    void speaksProtobufToAServerThatTakesNoJson() throws IOException {
        FakeTinkerServer server = start();
        server.faults().takesOnlyProtobuf();
        TrainerSession session = open("a");
        backend.step(session, 1);
        backend.step(session, 2);
        assertThat(server.log()).filteredOn("forward_backward"::equals).hasSize(3);
        float[] found = backend.probe(session.publish("p").join());
        backend.close();
        start();
        TrainerSession json = open("a");
        backend.step(json, 1);
        backend.step(json, 2);
        assertThat(found).isEqualTo(backend.probe(json.publish("p").join()));
    }
}
