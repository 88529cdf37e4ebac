package dev.millrace.udfs.rollout;

import static dev.millrace.udfs.Attempts.booted;
import static dev.millrace.udfs.Attempts.captured;
import static dev.millrace.udfs.Attempts.failed;
import static dev.millrace.udfs.Attempts.sampled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Attempts;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One try in twenty is lost: what that costs groups of eight of which all must answer. */
class LostAttemptsTest {
    private static final int GROUPS = 10_000;
    private static final int SIZE = 8;
    private static final double LOSS = 0.05;
    private static final AttemptBudget BUDGET = new AttemptBudget(3, 8, 100, 2, 1_000, 10_000, 3);

    private final RolloutMachine machine = new RolloutMachine();
    private final SplittableRandom random = new SplittableRandom(1);
    private int tries;

    private FinishedAttempt play(Admission admission) {
        List<StepEvent> events = new ArrayList<>();
        int lostStep = draw();
        int step = 0;
        while (machine.result(new StepView<>(admission, events)).isEmpty()) {
            Effect due = machine.due(new StepView<>(admission, events)).get(0);
            if (due.kind() == Effect.Kind.BOOT) {
                tries++;
                step = 0;
            }
            assertThat(due.itemId()).isEqualTo(admission.attemptId());
            assertThat(due.admission().policy()).isEqualTo(admission.policy());
            boolean lost = step++ == lostStep;
            if (lost) {
                lostStep = draw();
            }
            events.add(lost ? failed(due.effectId(), FailureClass.INFRA) : answer(due));
        }
        return machine.result(new StepView<>(admission, events)).orElseThrow();
    }

    /** The step that loses a try, or none of its three. */
    private int draw() {
        return random.nextDouble() < LOSS ? random.nextInt(3) : -1;
    }

    private static StepEvent answer(Effect due) {
        return switch (due.kind()) {
            case BOOT -> booted(due.effectId(), 1);
            case SAMPLE -> sampled(due.effectId(), TurnAction.FINAL, "", 7);
            default -> captured(due.effectId());
        };
    }

    @Test
    void aLostAttemptIsPlayedAgainAtItsIndexAndCostsNoGroup() {
        Admission admission = Attempts.admission(BUDGET);
        int lostGroups = 0;
        int wasted = 0;
        int again = 0;
        for (int group = 0; group < GROUPS; group++) {
            int lost = 0;
            for (int i = 0; i < SIZE; i++) {
                FinishedAttempt finished = play(admission);
                lost += finished.outcome() == Outcome.LOST ? 1 : 0;
                again += finished.tries() > 1 ? 1 : 0;
            }
            lostGroups += lost > 0 ? 1 : 0;
            wasted += lost > 0 ? SIZE - lost : 0;
        }
        assertThat(again).as("attempts that were tried again").isGreaterThan(GROUPS * SIZE / 25);
        assertThat(tries).isLessThan(GROUPS * SIZE * 11 / 10);
        assertThat(lostGroups).as("groups lost, of 10,000").isLessThan(GROUPS / 100);
        assertThat(wasted).as("siblings of lost attempts").isLessThan(GROUPS * SIZE / 50);
    }
}
