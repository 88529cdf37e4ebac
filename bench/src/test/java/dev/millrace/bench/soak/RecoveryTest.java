package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.soak.TrainerWatch.Update;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    @Test
    void costsTheTimeToTheNextStepAndTheWorkThatIsMadeAgain() {
        Recovery recovery = Recovery.of(97_000, 100_000, 115_000, true);
        assertThat(recovery).isEqualTo(new Recovery(15, 3));
        assertThat(recovery.ettr()).isCloseTo(0.97, within(1e-9));
    }

    @Test
    void redoesNothingWhereTheTrainerGoesOn() {
        assertThat(Recovery.of(97_000, 100_000, 112_000, false)).isEqualTo(new Recovery(12, 0));
    }

    @Test
    void isNothingWorthWhenARecoveryTakesLongerThanTheWindow() {
        assertThat(new Recovery(700, 0).ettr()).isZero();
    }

    @Test
    void aTableHoldsTheMedianAndTheWorstOfEachKind() throws Exception {
        RecoveryTable table = new RecoveryTable();
        table.add(KillKind.BROKER, new Recovery(60, 0));
        table.add(KillKind.TRAINER_EXCEPTION, new Recovery(6, 0));
        table.add(KillKind.TRAINER_EXCEPTION, new Recovery(12, 6));
        table.add(KillKind.TRAINER_EXCEPTION, new Recovery(30, 0));
        JsonNode json = new ObjectMapper().readTree(table.json(4.2));
        JsonNode trainer = json.path("recovery").path("trainer_exception");
        assertThat(json.path("stepSeconds").asDouble()).isEqualTo(4.2);
        assertThat(trainer.path("n").asInt()).isEqualTo(3);
        assertThat(trainer.path("p50").asDouble()).isEqualTo(12);
        assertThat(trainer.path("max").asDouble()).isEqualTo(30);
        assertThat(trainer.path("ettr").asDouble()).isEqualTo(0.97);
        assertThat(trainer.path("ettrLeast").asDouble()).isEqualTo(0.95);
        assertThat(table.lines().get(1)).startsWith("trainer_exception");
        assertThat(table.lines().get(2)).startsWith("broker");
    }

    @Test
    void takesTheMedianOfTheTimesBetweenFirstUpdatesOfSteps() {
        List<Update> updates =
                List.of(
                        new Update(0, 0),
                        new Update(900, 1),
                        new Update(2_000, 1000),
                        new Update(2_500, 1001),
                        new Update(5_000, 2000),
                        new Update(9_000, 3000));
        assertThat(RecoveryBenchmark.undisturbed(updates)).isEqualTo(3.0);
        assertThat(RecoveryBenchmark.undisturbed(updates.subList(0, 2))).isZero();
    }
}
