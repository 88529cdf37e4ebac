package dev.millrace.operators.step;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A stage of as many steps, one after the other, as the item's budget has turns. */
final class CountingMachine implements StepMachine<Admission, FinishedAttempt> {
    private static final long serialVersionUID = 1L;

    /** Runs whose next application of a rule fails, once. */
    static final Set<String> FAILING = ConcurrentHashMap.newKeySet();

    static Admission item(String runId, int index, int steps, Lane lane, String route) {
        return new Admission(
                runId,
                lane,
                runId + "/g" + index,
                index,
                "adm" + index,
                1,
                0,
                route,
                null,
                new PolicyRef(PolicyVersion.NONE, ""),
                1.0,
                index,
                "",
                new AttemptBudget(steps, 1, 1, 1, 1, 1, 1));
    }

    static String effectId(int step) {
        return "s" + step;
    }

    /** An event with no payload, as an effect of this machine reports. */
    static StepEvent event(Admission item, String effectId, StepEvent.Kind kind) {
        StepEvent event =
                StepEvent.of(
                        "rollout",
                        item.route(),
                        item.attemptId(),
                        item.admissionId(),
                        effectId,
                        kind,
                        0);
        return kind == StepEvent.Kind.ADMITTED ? event.with(item) : event;
    }

    @Override
    public String stage() {
        return "rollout";
    }

    @Override
    public String route(Admission input) {
        return input.route();
    }

    @Override
    public String itemId(Admission input) {
        return input.attemptId();
    }

    @Override
    public String admissionId(Admission input) {
        return input.admissionId();
    }

    @Override
    public StepEvent admitted(Admission input) {
        return event(input, StepEvent.ADMIT, StepEvent.Kind.ADMITTED);
    }

    @Override
    public Admission input(StepEvent admitted) {
        return admitted.admission();
    }

    @Override
    public List<Effect> due(StepView<Admission> item) {
        if (FAILING.remove(item.input().runId())) {
            throw new IllegalStateException("injected");
        }
        if (result(item).isPresent()) {
            return List.of();
        }
        String id = effectId(item.events().size());
        String itemId = item.input().attemptId();
        return List.of(
                new Effect(
                        id,
                        itemId,
                        Effect.Kind.SAMPLE,
                        item.input(),
                        itemId,
                        null,
                        0,
                        item.events().size(),
                        "",
                        null,
                        false,
                        0,
                        List.of(),
                        null,
                        null));
    }

    @Override
    public Optional<FinishedAttempt> result(StepView<Admission> item) {
        boolean cancelled =
                item.events().stream().anyMatch(e -> e.kind() == StepEvent.Kind.CANCELLED);
        int steps = item.events().size();
        if (!cancelled && steps < item.input().budget().maxTurns()) {
            return Optional.empty();
        }
        Outcome outcome = cancelled ? Outcome.CANCELLED : Outcome.SUBMITTED;
        return Optional.of(
                new FinishedAttempt(
                        item.input(),
                        outcome,
                        null,
                        null,
                        null,
                        steps,
                        steps,
                        steps,
                        PolicyVersion.NONE,
                        0,
                        1));
    }

    @Override
    public boolean cancelledByEndOfTraining(Admission input) {
        return input.lane() == Lane.TRAIN;
    }
}
