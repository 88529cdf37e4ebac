package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renderer that throws once, in one of 64 attempts: that attempt alone notices. */
@Timeout(60)
class ContainedFaultsTest {
    private static final int ATTEMPTS = 64;
    private final FakeTasks tasks = new FakeTasks();
    private final Script script = new Script("add a", "add b");

    /** Throws at a certain call of one of its methods. */
    private record Throwing(ChatRenderer renderer, String method, AtomicInteger left)
            implements ChatRenderer {
        private void reached(String at) {
            if (at.equals(method) && left.decrementAndGet() == 0) {
                throw new IllegalStateException("a renderer with a fault");
            }
        }

        @Override
        public int[] start(String instruction) {
            reached("start");
            return renderer.start(instruction);
        }

        @Override
        public Action parse(int[] completion, boolean stopped) {
            reached("parse");
            return renderer.parse(completion, stopped);
        }

        @Override
        public int[] observe(int[] said, boolean stopped, String observation, int nextTurn) {
            reached("observe");
            return renderer.observe(said, stopped, observation, nextTurn);
        }

        @Override
        public String describe(ExecResult result) {
            reached("describe");
            return renderer.describe(result);
        }
    }

    private RolloutRunner runner(String method) {
        return new RolloutRunner(
                new RolloutPorts(
                        tasks,
                        script,
                        new Throwing(script, method, new AtomicInteger(17)),
                        new FakeStore(),
                        Observations.own()),
                new RunnerSettings(8, "rollout/0", 1, Played.SHORT));
    }

    private static List<StepEvent> play(RolloutRunner runner) {
        List<StepEvent> events = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            Played<Admission, FinishedAttempt> attempt =
                    new Played<>(new RolloutMachine(), Played.admission(i));
            FinishedAttempt finished = attempt.toTheEnd(runner);
            assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
            events.addAll(attempt.events);
        }
        return events;
    }

    @Test
    void aParserThatFailsIsATurnThatCouldNotBeRead() {
        try (RolloutRunner runner = runner("parse")) {
            List<StepEvent> events = play(runner);
            assertThat(events).noneMatch(e -> e.kind() == StepEvent.Kind.FAILED);
            assertThat(events.stream().filter(e -> e.kind() == StepEvent.Kind.SAMPLED))
                    .filteredOn(e -> e.sampled().action() == TurnAction.FORMAT_ERROR)
                    .hasSize(1);
            assertThat(runner.gauges().get("parserFailures").getAsLong()).isEqualTo(1);
        }
        assertThat(tasks.alive()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "observe", "describe"})
    void whatElseFailsCostsOneTryOfOneAttempt(String method) {
        try (RolloutRunner runner = runner(method)) {
            assertThat(play(runner).stream().filter(e -> e.kind() == StepEvent.Kind.FAILED))
                    .singleElement()
                    .satisfies(e -> assertThat(e.failure().cause()).isEqualTo("unexpected"))
                    .satisfies(
                            e ->
                                    assertThat(e.failure().failureClass())
                                            .isEqualTo(FailureClass.INFRA));
        }
        assertThat(tasks.alive()).isEmpty();
    }
}
