package dev.millrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepAccounts;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmissionGateAccountsTest {
    private GateHarness gate;

    @BeforeEach
    void open() throws Exception {
        gate = GateHarness.open(GateHarness.settings(6, 100, 0), null);
        for (int i = 0; i < 3; i++) {
            gate.send("tasks", Samples.task("t" + i, Split.TRAIN));
        }
        gate.send("policies", Samples.announced(1, 0, 0));
        gate.send("policies", Samples.published(1, 0, false));
        gate.caughtUp();
    }

    @AfterEach
    void close() throws Exception {
        gate.close();
    }

    private List<String> versions() {
        return gate.balances().stream().map(b -> b.epoch() + "." + b.step()).toList();
    }

    private void step(long epoch, long step, long... groups) throws Exception {
        for (long group : groups) {
            gate.play(group, Samples.policy(1, 0), 1, 0);
            gate.taken(epoch, group, step);
        }
    }

    @Test
    void eachStepThatClosesIsBalancedOnce() throws Exception {
        assertThat(versions()).containsExactly("1.0");
        step(1, 0, 0, 1);
        gate.play(2, Samples.policy(1, 0), 1, 1);
        gate.send("policies", Samples.published(1, 1, false));
        gate.send("policies", Samples.published(1, 1, false));
        assertThat(versions()).containsExactly("1.0", "1.1");
        StepAccounts accounts = gate.balances().get(1).accounts();
        assertThat(accounts.offered())
                .isEqualTo(
                        accounts.trained()
                                + accounts.dropped().get("constant_reward")
                                + accounts.open());
        assertThat(accounts.trained()).isEqualTo(2);
        assertThat(accounts.violations()).isEmpty();
    }

    @Test
    void aStepWhoseGroupsAreHeardOfLaterIsBalancedThen() throws Exception {
        gate.play(0, Samples.policy(1, 0), 1, 0);
        gate.play(1, Samples.policy(1, 0), 1, 0);
        gate.taken(1, 0, 0);
        gate.send("policies", Samples.published(1, 1, false));
        assertThat(versions()).containsExactly("1.0");
        OperatorSubtaskState kept = gate.snapshot(1, 1);
        gate.close();
        gate = GateHarness.open(GateHarness.settings(6, 100, 0), kept);
        gate.caughtUp();
        gate.taken(1, 1, 0);
        assertThat(versions()).containsExactly("1.1");
    }

    @Test
    void aVersionThatAForkLeavesBehindIsNotBalanced() throws Exception {
        gate.send("policies", Samples.published(1, 1, false));
        gate.send("policies", Samples.announced(2, 1, 0));
        step(2, 0, 0, 1);
        gate.send("policies", Samples.published(2, 1, false));
        assertThat(versions()).containsExactly("1.0", "2.1");
    }

    @Test
    void aViolationIsRefusedByItsIdsAndTheRunGoesOn() throws Exception {
        step(1, 0, 0, 1);
        gate.play(2, Samples.policy(1, 0), 1, 1);
        gate.taken(1, 2, 1);
        gate.send("policies", Samples.published(1, 1, false));
        assertThat(gate.rejects())
                .extracting(Reject::reason)
                .containsExactly(Reject.ACCOUNTS_VIOLATED);
        assertThat(gate.rejects().get(0).key()).isEqualTo("v1.1");
        assertThat(gate.rejects().get(0).detail()).isEqualTo("run/g2 is CONSTANT but was taken");
        assertThat(gate.groups()).as("it goes on").hasSizeGreaterThan(4);
    }

    @Test
    void aStepWithTooManyGroupsIsAViolation() throws Exception {
        step(1, 0, 0, 1, 2);
        gate.send("policies", Samples.published(1, 1, false));
        assertThat(gate.rejects().get(0).detail())
                .isEqualTo("step 0 was trained on [run/g0, run/g1, run/g2]");
    }

    @Test
    void aStepWithoutAllOfItsGroupsIsAViolationAtTheEnd() throws Exception {
        endWithOneOfTwoGroupsKnown();
        gate.report(ProgressRecord.Kind.DRAINED, 1, -1, 1, "");
        assertThat(gate.rejects().get(0).detail())
                .isEqualTo("version v1.1 holds 1 groups instead of 2");
        assertThat(gate.balances()).extracting(ProgressRecord::step).containsExactly(0L, 1L);
    }

    /** The topics are read in any order: what was taken may be heard of after the mark. */
    @Test
    void whatRegion2HasYetToSayIsWaitedFor() throws Exception {
        endWithOneOfTwoGroupsKnown();
        gate.taken(1, 1, 0);
        gate.report(ProgressRecord.Kind.DRAINED, 1, -1, 1, "");
        assertThat(gate.rejects()).isEmpty();
        assertThat(gate.balances()).extracting(ProgressRecord::step).containsExactly(0L, 1L);
    }

    private void endWithOneOfTwoGroupsKnown() throws Exception {
        gate.close();
        gate = GateHarness.open(GateHarness.settings(1, 100, 0), null);
        gate.send("tasks", Samples.task("t", Split.TRAIN));
        gate.send("policies", Samples.published(1, 0, false));
        gate.caughtUp();
        List<String> admitted = gate.groups();
        gate.play(0, Samples.policy(1, 0), 1, 0);
        gate.taken(1, 0, 0);
        gate.send("policies", Samples.published(1, 1, true));
        assertThat(gate.rejects()).isEmpty();
        gate.play(1, Samples.policy(1, 0), 1, 0);
        for (int group = 2; group < admitted.size(); group++) {
            gate.play(group, Samples.policy(1, 0), 1, 1);
        }
        assertThat(gate.marks()).hasSize(1);
        assertThat(gate.rejects()).isEmpty();
    }
}
