package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage that is lost with 16 attempts open, each in the middle of another turn. */
@Timeout(60)
class InterruptedTurnsTest {
    private static final int ATTEMPTS = 16;
    private static final int TURNS = 20;
    private final FakeProvider provider = new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
    private final FakeStore store = new FakeStore();
    private final Script script =
            new Script(IntStream.range(0, TURNS).mapToObj(i -> "add x").toArray(String[]::new));
    private final Map<String, Integer> carriedOut = new HashMap<>();

    private RolloutRunner runner(long fence) {
        return new RolloutRunner(
                new RolloutPorts(
                        new FakeTasks(provider), script, script, store, Observations.own()),
                new RunnerSettings(ATTEMPTS, "rollout/0", fence, Played.SHORT));
    }

    private static Played<Admission, FinishedAttempt> attempt(int index) {
        AttemptBudget budget = new AttemptBudget(30, 8, 5_000, 2, 1_000, 60_000, 3);
        return new Played<>(new RolloutMachine(), Played.admission("fake:task-1", index, budget));
    }

    private void next(Played<Admission, FinishedAttempt> attempt, RolloutRunner runner) {
        count(attempt.due());
        attempt.next(runner);
    }

    private void count(Effect effect) {
        carriedOut.merge(effect.itemId() + " " + effect.effectId(), 1, Integer::sum);
    }

    @Test
    void atMostOneTurnOfEachIsCarriedOutAgainAndItsPromptIsTheSame() {
        List<Played<Admission, FinishedAttempt>> attempts = new ArrayList<>();
        Map<String, int[]> prompts = new HashMap<>();
        RolloutRunner first = runner(1_000);
        for (int i = 0; i < ATTEMPTS; i++) {
            Played<Admission, FinishedAttempt> attempt = attempt(i);
            int turns = 1 + i * (TURNS - 1) / (ATTEMPTS - 1);
            int steps = 2 * turns - i % 2;
            for (int step = 0; step < steps; step++) {
                next(attempt, first);
            }
            // It is carried out, and nobody hears of it.
            Effect lost = attempt.due();
            count(lost);
            Played.await(first.start(lost));
            prompts.put(lost.itemId() + lost.effectId(), lost.tokens());
            attempts.add(attempt);
        }
        first.close();
        RolloutRunner second = runner(2_000);
        for (Played<Admission, FinishedAttempt> attempt : attempts) {
            Effect again = attempt.due();
            assertThat(again.tokens()).isEqualTo(prompts.get(again.itemId() + again.effectId()));
            while (!attempt.over()) {
                next(attempt, second);
            }
            assertThat(attempt.result().outcome()).isEqualTo(Outcome.SUBMITTED);
            assertThat(attempt.result().turns()).isEqualTo(TURNS + 1);
            assertThat(attempt.result().tries()).isEqualTo(1);
        }
        second.close();
        assertThat(carriedOut.values()).allMatch(times -> times <= 2);
        assertThat(carriedOut.values().stream().filter(times -> times == 2)).hasSize(ATTEMPTS);
        assertThat(provider.alive()).isEmpty();
    }
}
