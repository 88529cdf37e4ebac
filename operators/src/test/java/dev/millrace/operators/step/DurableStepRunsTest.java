package dev.millrace.operators.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stage that plays attempts of two runs. */
class DurableStepRunsTest {
    private static final String ROUTE = "r0";
    private final Admission first = CountingMachine.item("job-c1", 0, 3, Lane.TRAIN, ROUTE);
    private final Admission second = CountingMachine.item("job-c2", 0, 3, Lane.TRAIN, ROUTE);
    private StepHarness stage;

    @BeforeEach
    void open() throws Exception {
        stage = StepHarness.ofRuns("job-c1", "job-c2");
        stage.open();
        stage.caughtUp(ROUTE);
        stage.arrive(first);
        stage.arrive(second);
        stage.readBackAll();
    }

    @AfterEach
    void close() throws Exception {
        stage.close();
    }

    private static PolicyRecord publication(String run, long step) {
        return new PolicyRecord(
                run, PolicyRecord.Kind.PUBLICATION, 1, step, 0, "n", "u", step == 1, Map.of());
    }

    private List<Outcome> outcomes(String run) {
        return stage.getOutput().stream()
                .filter(StreamRecord.class::isInstance)
                .map(record -> (FinishedAttempt) ((StreamRecord<?>) record).getValue())
                .filter(finished -> finished.admission().runId().equals(run))
                .map(FinishedAttempt::outcome)
                .toList();
    }

    @Test
    void bothArePlayed() {
        assertThat(stage.started).containsOnlyKeys("job-c1/g0/a0#s0", "job-c2/g0/a0#s0");
    }

    @Test
    void theLastStepOfOneCancelsNothingOfTheOther() throws Exception {
        stage.policy(publication("job-c2", 1));
        stage.readBackAll();
        assertThat(outcomes("job-c2")).containsExactly(Outcome.CANCELLED);
        assertThat(outcomes("job-c1")).isEmpty();
    }

    @Test
    void aRunThatItsTrainerGaveUpIsCancelled() throws Exception {
        stage.policy(publication("job-c1", 0));
        stage.policy(PolicyRecord.failed("job-c1", 1, 0, 0, "n", "the loss is NaN"));
        stage.readBackAll();
        assertThat(outcomes("job-c1")).containsExactly(Outcome.CANCELLED);
        assertThat(outcomes("job-c2")).isEmpty();
        assertThat(stage.started).containsKey("job-c2/g0/a0#s0");
    }

    @Test
    void aRunThatWasGivenUpStaysSoAfterARestore() throws Exception {
        stage.policy(PolicyRecord.failed("job-c1", 1, 0, 0, "n", "the loss is NaN"));
        var state = stage.snapshot(1, 1);
        stage.close();
        stage = StepHarness.ofRuns("job-c1", "job-c2");
        stage.initializeState(state);
        stage.open();
        stage.caughtUp(ROUTE);
        stage.readBackAll();
        assertThat(outcomes("job-c1")).containsExactly(Outcome.CANCELLED);
        assertThat(outcomes("job-c2")).isEmpty();
    }
}
