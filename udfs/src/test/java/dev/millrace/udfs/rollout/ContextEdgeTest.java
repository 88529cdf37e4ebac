package dev.millrace.udfs.rollout;

import static dev.millrace.udfs.Attempts.booted;
import static dev.millrace.udfs.Attempts.executed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Attempts;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A context of 2,000 tokens and observations that fill it. */
class ContextEdgeTest {
    private static final int CONTEXT = 2_000;
    private static final int TURN = 64;

    private final RolloutMachine machine = new RolloutMachine();
    private final List<StepEvent> events = new ArrayList<>();
    private final List<Effect> requests = new ArrayList<>();
    private final Admission admission =
            Attempts.admission(new AttemptBudget(100, TURN, CONTEXT, 50, 1_000, 1_000_000, 3));

    /** Plays to the end; the policy says all it may, but no more than that many tokens. */
    private FinishedAttempt play(int prompt, int observation, int mostSaid) {
        while (machine.result(view()).isEmpty()) {
            Effect due = machine.due(view()).get(0);
            events.add(
                    switch (due.kind()) {
                        case BOOT -> booted(due.effectId(), new int[prompt]);
                        case SAMPLE -> said(due, mostSaid);
                        case CAPTURE ->
                                Attempts.event(due.effectId(), StepEvent.Kind.CAPTURED, 1)
                                        .with(new Captured(Attempts.CONTENT, Attempts.CONTENT));
                        default -> executed(due.effectId(), new int[observation]);
                    });
        }
        return machine.result(view()).orElseThrow();
    }

    private StepEvent said(Effect due, int mostSaid) {
        requests.add(due);
        int n = Math.min(mostSaid, due.maxTokens());
        float[] logprobs = new float[n];
        Arrays.fill(logprobs, -1);
        boolean stopped = n < due.maxTokens();
        TurnAction action = stopped ? TurnAction.COMMAND : TurnAction.FORMAT_ERROR;
        return Attempts.event(due.effectId(), StepEvent.Kind.SAMPLED, 1)
                .with(new Sampled(new int[n], logprobs, Attempts.VERSION, stopped, action, "ls"));
    }

    private StepView<Admission> view() {
        return new StepView<>(admission, events);
    }

    @Test
    void noRequestIsLongerThanTheContextAndTheLimitIsAnEndingOfItsOwn() {
        FinishedAttempt finished = play(100, 900, 20);
        assertThat(finished.outcome()).isEqualTo(Outcome.CONTEXT_LIMIT);
        assertThat(finished.turns()).isEqualTo(3);
        assertThat(requests)
                .allMatch(r -> r.maxTokens() >= 1)
                .allMatch(r -> r.tokens().length + r.maxTokens() <= CONTEXT);
        assertThat(finished.totalTokens()).as("the last observation is cut off").isEqualTo(1_960);
    }

    @Test
    void atMostOneTurnIsCutShortByTheContext() {
        // The third turn has 16 tokens left.
        FinishedAttempt finished = play(56, 900, TURN);
        assertThat(requests).extracting(Effect::maxTokens).containsExactly(64, 64, 16);
        assertThat(finished.outcome()).isEqualTo(Outcome.CONTEXT_LIMIT);
        assertThat(finished.totalTokens()).isEqualTo(CONTEXT);
    }

    @Test
    void aPromptThatIsLongerThanTheContextIsNeverSent() {
        FinishedAttempt finished = play(300_000, 1, TURN);
        assertThat(requests).isEmpty();
        assertThat(finished.outcome()).isEqualTo(Outcome.CONTEXT_LIMIT);
        assertThat(finished.generatedTokens()).isZero();
    }

    @Test
    void whatWasOnceInTheContextStaysAsItWas() {
        SplittableRandom random = new SplittableRandom(3);
        for (int run = 0; run < 50; run++) {
            events.clear();
            requests.clear();
            play(1 + random.nextInt(200), random.nextInt(300), 1 + random.nextInt(TURN - 1));
            for (int turn = 1; turn < requests.size(); turn++) {
                int[] before = requests.get(turn - 1).tokens();
                int[] now = requests.get(turn).tokens();
                assertThat(Arrays.copyOf(now, before.length)).isEqualTo(before);
            }
        }
    }
}
