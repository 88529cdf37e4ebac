package dev.millrace.udfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.admission.Accounts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopSimulationTest {
    private static final int SEEDS = 20;
    private static final int ACTIONS = 40_000;

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.005, 0.02})
    void endsWithEveryGroupAccountedForWhateverFailsWhen(double failures) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertEndsWell(new LoopSimulation(seed, 0), seed, failures);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0005, 0.002})
    void endsSoWhenTheWholeJobGoesOnFromAnOlderCutAlsoBehindItsLastStep(double rewinds) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertEndsWell(new LoopSimulation(seed, rewinds), seed, 0.002);
        }
    }

    private static void assertEndsWell(LoopSimulation loop, long seed, double failures) {
        assertThat(loop.run(ACTIONS, failures)).as("seed %d ends", seed).isTrue();
        Accounts accounts = loop.rollouts.book().accounts();
        assertThat(accounts.open()).as("seed %d: %s", seed, accounts).isZero();
        assertThat(accounts.trained())
                .as("seed %d: %s", seed, accounts)
                .isEqualTo(LoopSimulation.STEPS * LoopSimulation.GROUPS_PER_BATCH);
        assertThat(loop.learner.trainedGroups())
                .as("seed %d", seed)
                .hasSize((int) accounts.trained())
                .doesNotHaveDuplicates();
        assertThat(loop.firstMixed()).containsAll(loop.learner.trainedGroups());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.005, 0.02})
    void inLockstepTrainsTheSameWhateverFailsWhen(double failures) {
        LoopSimulation undisturbed = new LoopSimulation(0, 0, true);
        assertThat(undisturbed.run(ACTIONS, 0)).isTrue();
        for (long seed = 1; seed < SEEDS; seed++) {
            LoopSimulation loop = new LoopSimulation(seed, 0, true);
            assertThat(loop.run(ACTIONS, failures)).as("seed %d ends", seed).isTrue();
            assertThat(loop.learner.history())
                    .as("seed %d", seed)
                    .isEqualTo(undisturbed.learner.history())
                    .hasSize((int) LoopSimulation.STEPS * 2);
        }
    }
}
