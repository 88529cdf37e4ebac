package dev.millrace.bench.soak.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.PolicyVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private final HandMade run = HandMade.good();

    @Test
    void findsNothingInARunThatKeptItsPromises() {
        assertThat(run.judged())
                .isEqualTo(
                        new Findings(
                                2, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                                List.of(), 0, 0, 0));
    }

    @Test
    void findsAnAttemptThatNeverEnded() {
        run.admit(2, new PolicyVersion(1, 0));
        assertThat(run.judged().lost())
                .containsExactly("group index 2", "run-1/g2/a0", "run-1/g2/a1");
    }

    @Test
    void findsAnIndexThatWasSkipped() {
        run.admit(3, new PolicyVersion(1, 0));
        run.close(3, new PolicyVersion(1, 0), List.of());
        assertThat(run.judged().lost()).containsExactly("group index 2");
    }

    @Test
    void findsADatumThatWasTrainedTwice() {
        run.trainer.clear();
        run.policies.removeIf(p -> !p.uri().isEmpty());
        run.open("one", "");
        run.train("one", 1, 0, 0);
        run.train("one", 1, 1, 1);
        run.train("one", 1, 1, 1);
        run.publish("one", 1, 2);
        assertThat(run.judged().trainedTwice())
                .containsExactlyInAnyOrder(
                        "run-1/g1/a0 at [e1.s1.m0, e1.s1.m0]",
                        "run-1/g1/a1 at [e1.s1.m0, e1.s1.m0]");
        assertThat(run.judged().wrongSteps()).isNotEmpty();
    }

    @Test
    void doesNotCountWhatAForkLeftBehind() {
        run.trainer.clear();
        run.policies.removeIf(p -> !p.uri().isEmpty());
        run.open("one", "");
        run.train("one", 1, 0, 0);
        run.save("one", "saved");
        run.train("one", 1, 1, 1);
        run.publish("one", 1, 2);
        run.announce(2, 1, 1);
        run.open("two", "saved");
        run.train("two", 2, 1, 1);
        run.taken(1, 2, 1);
        run.publish("two", 2, 2);
        Findings findings = run.judged();
        assertThat(findings.trainedTwice()).isEmpty();
        assertThat(findings.wrongSteps()).isEmpty();
        assertThat(findings.trainedOtherwise()).isEmpty();
        assertThat(findings.steps()).isEqualTo(2);
    }

    @Test
    void findsAStepThatIsNotInTheFinalWeights() {
        run.open("two", "");
        run.train("two", 2, 1, 1);
        run.announce(2, 1, 1);
        run.taken(1, 2, 1);
        run.publish("two", 2, 2);
        assertThat(run.judged().wrongSteps()).containsExactly("s0.m0");
        assertThat(run.judged().trainedOtherwise())
                .containsExactly(
                        "run-1/g0/a0 is due in step 0, not trained",
                        "run-1/g0/a1 is due in step 0, not trained");
    }

    @Test
    void findsDataThatWasTrainedThoughNobodyTookIt() {
        run.progress.removeIf(p -> p.groupIndex() == 1);
        assertThat(run.judged().trainedOtherwise())
                .containsExactly(
                        "run-1/g1/a0 is not due, trained in 1",
                        "run-1/g1/a1 is not due, trained in 1");
    }

    @Test
    void findsAGroupThatTrainedWeightsTooFarAway() {
        run.groups.clear();
        run.close(0, new PolicyVersion(1, 0), List.of());
        run.close(1, new PolicyVersion(1, 3), List.of());
        assertThat(run.judged().lagViolations())
                .containsExactly(
                        "run-1/g1/a0 played at v1.3, trained at v1.1",
                        "run-1/g1/a1 played at v1.3, trained at v1.1");
    }

    @Test
    void findsSandboxesThatNobodyEnded() {
        run.create(1, "kept");
        run.create(2, "ended");
        run.end(2);
        assertThat(run.judged().leaked()).containsExactly("kept");
    }

    @Test
    void findsWorkspacesThatCommandsSpoiled() {
        run.groups.remove(1);
        run.close(1, new PolicyVersion(1, 0), List.of("workspace_not_intact"));
        assertThat(run.judged().notIntact()).containsExactly("run-1/g1/a0", "run-1/g1/a1");
    }

    @Test
    void tellsARepeatedTurnFromAReplayedCommand() {
        String lease = HandMade.lease(0, 0);
        run.exec(1, lease, "exec#1.0", 20);
        run.executed(0, 0, "exec#1.0", 25);
        run.exec(1, lease, "exec#1.1", 30);
        run.exec(2, lease, "exec#1.0", 60);
        run.exec(2, lease, "exec#1.1", 65);
        run.executed(0, 0, "exec#1.1", 70);
        Findings findings = run.judged();
        assertThat(findings.turnsRepeated()).isEqualTo(1);
        assertThat(findings.turnsRepeatedMax()).isEqualTo(1);
        assertThat(findings.commandsReplayed()).isEqualTo(1);
    }

    @Test
    void countsRepeatedTurnsByAttemptAndKill() {
        String lease = HandMade.lease(0, 0);
        for (String effect : List.of("exec#1.0", "exec#1.1")) {
            run.exec(1, lease, effect, 20);
            run.exec(2, lease, effect, 60);
        }
        run.exec(3, HandMade.lease(0, 1), "exec#1.0", 20);
        run.exec(4, HandMade.lease(0, 1), "exec#1.0", 60);
        assertThat(run.judged().turnsRepeated()).isEqualTo(3);
        assertThat(run.judged().turnsRepeatedMax()).isEqualTo(2);
        run.kills.add(63L);
        run.exec(5, lease, "exec#1.0", 64);
        assertThat(run.judged().turnsRepeatedMax()).isEqualTo(2);
    }
}
