package dev.millrace.backends.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakePolicyTrainerTest {
    private static final LossSpec LOSS = new LossSpec(0.8, 1.28);
    private static final AdamSpec ADAM = new AdamSpec(1, 0.9, 0.99, 1e-8, 0, 1);
    private final FakePolicyTrainer trainer = new FakePolicyTrainer(7);

    private static Datum datum(int token) {
        return new Datum(new int[] {0, token}, new float[] {0, 1}, new float[] {0, -1});
    }

    private static void train(TrainerSession session, String id, int token) {
        assertThat(session.forwardBackward(id + "/f", List.of(datum(token)), LOSS)).isCompleted();
        assertThat(session.optimStep(id + "/o", ADAM)).isCompleted();
    }

    @Test
    void goesOnFromASavedStateAsIfItHadNeverStopped() {
        TrainerSession straight = trainer.open("a", "");
        train(straight, "1", 10);
        String saved = straight.saveState("s").join();
        train(straight, "2", 11);
        TrainerSession resumed = trainer.open("b", saved);
        train(resumed, "2", 11);
        FakeState expected = trainer.at(straight.publish("p").join());
        assertThat(trainer.at(resumed.publish("q").join())).isEqualTo(expected);
        assertThat(expected.trained()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void saysWhenDataCameInAnotherOrder() {
        TrainerSession one = trainer.open("a", "");
        train(one, "1", 10);
        train(one, "2", 11);
        TrainerSession other = trainer.open("b", "");
        train(other, "1", 11);
        train(other, "2", 10);
        assertThat(trainer.at(one.publish("p").join()).weights())
                .isNotEqualTo(trainer.at(other.publish("q").join()).weights());
    }

    @Test
    void refusesNamesAndEffectsThatWereUsedBefore() {
        TrainerSession session = trainer.open("a", "");
        session.publish("p").join();
        assertThat(session.publish("p")).isCompletedExceptionally();
        TrainerSession other = trainer.open("b", "");
        assertThat(other.publish("p")).isCompletedExceptionally();
        assertThat(session.optimStep("o", ADAM)).isCompleted();
        assertThat(session.optimStep("o", ADAM)).isCompletedExceptionally();
        assertThatThrownBy(() -> trainer.open("a", "")).isInstanceOf(TrainerException.class);
        assertThatThrownBy(() -> trainer.open("c", "fake-state:none"))
                .isInstanceOf(TrainerException.class)
                .hasMessageContaining("fake-state:none");
    }

    @Test
    void refusesWorkAfterItsSessionWasClosed() {
        TrainerSession session = trainer.open("a", "");
        session.close();
        assertThat(session.optimStep("o", ADAM)).isCompletedExceptionally();
    }
}
