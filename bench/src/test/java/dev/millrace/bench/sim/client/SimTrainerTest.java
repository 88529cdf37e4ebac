package dev.millrace.bench.sim.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import dev.millrace.bench.sim.ServiceLog;
import dev.millrace.bench.sim.Services;
import dev.millrace.bench.sim.SimProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimTrainerTest {
    private static final AdamSpec ADAM = new AdamSpec(1e-3, 0.9, 0.95, 1e-8, 0, 1);
    private static final LossSpec LOSS = new LossSpec(0.8, 1.28);
    @TempDir Path folder;
    private Services service;

    @BeforeEach
    void start() throws Exception {
        service = Services.start(SimProcess.Kind.TRAINER, log());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void carriesCallsOutInTheOrderTheyWereMade() throws Exception {
        TrainerSession session = trainer().open("one", "");
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int m = 0; m < 20; m++) {
            calls.add(session.forwardBackward("run/e1/s0/m" + m + "/p0/fb", data(m), LOSS));
            calls.add(session.optimStep("run/e1/s0/m" + m + "/p0/opt", ADAM));
        }
        calls.forEach(CompletableFuture::join);
        List<String> done =
                ServiceLog.read(log()).stream()
                        .filter(line -> line.has("effect"))
                        .map(line -> line.path("effect").asText())
                        .toList();
        List<String> wanted = new ArrayList<>();
        for (int m = 0; m < 20; m++) {
            wanted.add("run/e1/s0/m" + m + "/p0/fb");
            wanted.add("run/e1/s0/m" + m + "/p0/opt");
        }
        assertThat(done).isEqualTo(wanted);
    }

    @Test
    void goesOnFromASavedStateBitForBitAlsoInAnotherProcess() throws Exception {
        TrainerSession straight = trainer().open("one", "");
        train(straight, 0);
        String saved = straight.saveState("saved").join();
        train(straight, 1);
        straight.publish("straight").join();
        service.close();
        service = Services.start(SimProcess.Kind.TRAINER, log());
        TrainerSession resumed = trainer().open("two", saved);
        train(resumed, 1);
        resumed.publish("resumed").join();
        List<JsonNode> published =
                ServiceLog.read(log()).stream()
                        .filter(line -> line.path("op").asText().equals("publish"))
                        .toList();
        assertThat(published).hasSize(2);
        assertThat(published.get(0).path("weights")).isEqualTo(published.get(1).path("weights"));
    }

    @Test
    void refusesNamesThatWereUsedBeforeAndStatesThatAreNot() throws Exception {
        TrainerSession session = trainer().open("one", "");
        session.publish("name").join();
        assertThatThrownBy(() -> session.publish("name").join())
                .hasCauseInstanceOf(TrainerException.class)
                .hasMessageContaining("used before");
        assertThatThrownBy(() -> trainer().open("one", "")).isInstanceOf(TrainerException.class);
        assertThatThrownBy(() -> trainer().open("two", "sim-state:none"))
                .isInstanceOf(TrainerException.class)
                .hasMessageContaining("no state lies");
    }

    @Test
    void refusesALogProbabilityThatIsNotFinite() throws Exception {
        TrainerSession session = trainer().open("one", "");
        Datum bad = new Datum(new int[] {1, 100_003}, new float[2], new float[] {0, Float.NaN});
        assertThatThrownBy(
                        () ->
                                session.forwardBackward("run/e1/s0/m0/p0/fb", List.of(bad), LOSS)
                                        .join())
                .hasCauseInstanceOf(TrainerException.class)
                .hasMessageContaining("not finite");
        assertThat(service.count("refused")).isEqualTo(1);
        assertThat(service.count("forward_backward")).isZero();
    }

    @Test
    void losesASessionWhereAFaultPlanSaysSo() throws Exception {
        service.arm("trainer session lost at s0.m1");
        TrainerSession session = trainer().open("one", "");
        train(session, 0);
        assertThatThrownBy(() -> train(session, 1))
                .hasCauseInstanceOf(TrainerException.class)
                .hasMessageContaining("session is gone");
        assertThat(service.count("lost")).isEqualTo(1);
    }

    @Test
    void answersWhatWaitsBehindACallThatIsRefused() throws Exception {
        service.arm("trainer -> session lost at s0.m0");
        TrainerSession session = trainer().open("one", "");
        var lost = session.forwardBackward("run/e1/s0/m0/p0/fb", data(0), LOSS);
        var behind = session.optimStep("run/e1/s1/m0/p0/opt", ADAM);
        assertThatThrownBy(lost::join).hasCauseInstanceOf(TrainerException.class);
        assertThatThrownBy(behind::join).hasCauseInstanceOf(TrainerException.class);
    }

    @Test
    void raisesAnExceptionThatIsNoneOfThePort() throws Exception {
        service.arm("trainer -> task exception once");
        TrainerSession session = trainer().open("one", "");
        assertThatThrownBy(() -> train(session, 0)).hasCauseInstanceOf(InjectedTaskException.class);
    }

    @Test
    void raisesItForAllCallsOfTheSessionSoThatItIsNotTakenForALostOne() throws Exception {
        service.arm("trainer -> task exception once");
        TrainerSession session = trainer().open("one", "");
        var first = session.forwardBackward("run/e1/s0/m0/p0/fb", data(0), LOSS);
        var behind = session.optimStep("run/e1/s0/m0/p0/opt", ADAM);
        assertThatThrownBy(first::join).hasCauseInstanceOf(InjectedTaskException.class);
        assertThatThrownBy(behind::join).hasCauseInstanceOf(InjectedTaskException.class);
        assertThatThrownBy(() -> session.saveState("later").join())
                .hasCauseInstanceOf(InjectedTaskException.class);
    }

    @Test
    void refusesARunForGoodAndNoOther() throws Exception {
        TrainerSession refused = trainer().open("run-c1-e1-x", "");
        TrainerSession other = trainer().open("run-c10-e1-x", "");
        new ServiceClient(service.port(), 5000)
                .call("/refuse", ServiceClient.request().put("run", "run-c1"))
                .join();
        assertThatThrownBy(() -> train(refused, 0))
                .cause()
                .isInstanceOfSatisfying(
                        TrainerException.class,
                        e -> assertThat(e.kind()).isEqualTo(TrainerException.Kind.FAILED));
        train(other, 0);
        assertThat(service.count("optim_step")).isEqualTo(1);
    }

    private static void train(TrainerSession session, int minibatch) {
        String effect = "run/e1/s0/m" + minibatch + "/p0";
        session.forwardBackward(effect + "/fb", data(minibatch), LOSS).join();
        session.optimStep(effect + "/opt", ADAM).join();
    }

    private static List<Datum> data(int minibatch) {
        return List.of(
                new Datum(
                        new int[] {1, 100_000 + minibatch},
                        new float[] {0, 1},
                        new float[] {0, -0.5f}));
    }

    private SimTrainer trainer() {
        return new SimTrainer(new ServiceClient(service.port(), 5000));
    }

    private Path log() {
        return folder.resolve("trainer.jsonl");
    }
}
