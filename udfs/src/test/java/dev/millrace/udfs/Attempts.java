package dev.millrace.udfs;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.Booted;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.TurnAction;
import java.util.List;

/** Attempts and events for tests. */
public final class Attempts {
    public static final PolicyVersion VERSION = new PolicyVersion(1, 3);
    public static final ContentRef CONTENT = new ContentRef("file:/x", 3, "abc");

    private Attempts() {}

    public static Admission admission(AttemptBudget budget) {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g7",
                7,
                "adm-1",
                4,
                2,
                "r0",
                new Task("task-1", "file:/tasks/task-1", Split.TRAIN, "module"),
                new PolicyRef(VERSION, "file:/policy/1"),
                1.0,
                42,
                "",
                budget);
    }

    public static AttemptBudget budget() {
        return new AttemptBudget(3, 8, 100, 2, 1_000, 10_000, 2);
    }

    public static StepEvent booted(String effectId, int... prompt) {
        return event(effectId, StepEvent.Kind.BOOTED, 500).with(new Booted(prompt));
    }

    public static StepEvent sampled(
            String effectId, TurnAction action, String command, int... tokens) {
        float[] logprobs = new float[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            logprobs[i] = -0.5f * (i + 1);
        }
        return event(effectId, StepEvent.Kind.SAMPLED, 10)
                .with(new Sampled(tokens, logprobs, VERSION, true, action, command));
    }

    public static StepEvent executed(String effectId, int... observation) {
        return event(effectId, StepEvent.Kind.EXECUTED, 20)
                .with(new Executed(0, false, observation, 5, "digest-" + effectId, false));
    }

    public static StepEvent captured(String effectId) {
        return event(effectId, StepEvent.Kind.CAPTURED, 5).with(new Captured(CONTENT, CONTENT));
    }

    public static StepEvent failed(String effectId, FailureClass failureClass) {
        return event(effectId, StepEvent.Kind.FAILED, 5)
                .with(new Failure(failureClass, "cause_" + effectId, "said for a person"));
    }

    public static StepEvent event(String effectId, StepEvent.Kind kind, long wallMillis) {
        return StepEvent.of("rollout", "r0", "run-1/g7/a2", "adm-1", effectId, kind, wallMillis);
    }

    public static List<StepEvent> events(StepEvent... events) {
        return List.of(events);
    }
}
