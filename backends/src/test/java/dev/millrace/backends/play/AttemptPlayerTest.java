package dev.millrace.backends.play;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttemptPlayerTest {

    @Test
    void playsMoreAttemptsThanThereAreSlots() {
        FakeTasks tasks = new FakeTasks();
        FakeStore store = new FakeStore();
        RolloutPorts ports =
                new RolloutPorts(
                        tasks, new FakeSampler(1), new FakeRenderer(), store, Observations.own());
        try (AttemptPlayer player =
                new AttemptPlayer(
                        new RolloutRunner(ports, 3), new GradingRunner(tasks, store, 2, 0))) {
            List<GradedAttempt> graded =
                    player.playAll(
                            IntStream.range(0, 40).mapToObj(AttemptPlayerTest::admission).toList());
            assertThat(graded).hasSize(40).allMatch(GradedAttempt::valid);
            assertThat(graded.stream().mapToDouble(GradedAttempt::reward).average().orElseThrow())
                    .isStrictlyBetween(0.1, 0.9);
        }
        assertThat(tasks.alive()).isEmpty();
    }

    private static Admission admission(int index) {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g" + index,
                index,
                "adm-" + index,
                1,
                0,
                "r0",
                new Task("task-" + index, "fake:task-" + index, Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                index,
                "",
                new AttemptBudget(3, 8, 200, 2, 1_000, 10_000, 2));
    }
}
