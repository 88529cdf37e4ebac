package dev.millrace.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.SandboxException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    @TempDir private Path directory;
    private EmbeddedTrainer trainer;
    private List<Demonstration> demonstrations;

    @BeforeEach
    void start() throws SandboxException {
        demonstrations =
                List.of(
                        Demonstration.record(
                                "Fix the program.",
                                List.of("ls", "cat *", "mv tax.py core.py", "exit"),
                                command -> command.equals("ls") ? "tax.py\n" : "import core\n"));
        trainer =
                new EmbeddedTrainer(
                        directory, new ModelShape(TurnRenderer.vocabularySize(), 32, 1, 2), 1);
    }

    @AfterEach
    void stop() {
        trainer.close();
    }

    @Test
    void learnsToSayWhatItWasShown() {
        WarmUpResult result = warmUp(120, 120).run("warm", demonstrations, policy -> 0.0);
        assertThat(result.reached()).isFalse();
        assertThat(result.steps()).isEqualTo(120);
        try (EmbeddedSampler sampler = new EmbeddedSampler(1)) {
            int[] prompt = new TurnRenderer().start("Fix the program.");
            int[] said =
                    sampler.sample(PolicyFixtures.request(result.policy().uri(), prompt, 3))
                            .join()
                            .tokens();
            assertThat(PieceTokenizer.decode(said)).isEqualTo("ls");
        }
    }

    @Test
    void stopsWhereTheRewardReachesTheTarget() {
        WarmUpResult result = warmUp(4, 100).run("warm", demonstrations, rewards(0.1, 0.2, 0.39));
        assertThat(result.reached()).isTrue();
        assertThat(result.reward()).isEqualTo(0.39);
        assertThat(result.steps()).isEqualTo(4 + 2 * 3);
        assertThat(result.probes()).hasSize(3);
        try (EmbeddedSession session = trainer.open("next", result.stateUri())) {
            assertThat(session.publish("p").join()).isNotEmpty();
        }
    }

    @Test
    void goesBackAndComesCloserWhenItWentTooFar() {
        WarmUpResult result =
                warmUp(4, 100).run("warm", demonstrations, rewards(0.1, 0.7, 0.3, 0.42));
        assertThat(result.reward()).isEqualTo(0.42);
        assertThat(result.probes().stream().map(WarmUpResult.Probe::steps))
                .containsExactly(4, 7, 5, 6);
    }

    private WarmUp warmUp(int minSteps, int maxSteps) {
        return new WarmUp(
                trainer, new WarmUpSettings(0.40, 0.05, 4, 3e-3, minSteps, 3, maxSteps, 1));
    }

    private static RewardProbe rewards(double... values) {
        Deque<Double> left = new ArrayDeque<>();
        for (double value : values) {
            left.add(value);
        }
        return policy -> left.remove();
    }
}
