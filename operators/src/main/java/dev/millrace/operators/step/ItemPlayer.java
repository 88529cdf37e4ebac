package dev.millrace.operators.step;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.StepMachine;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The life of an item: it comes in, is appended, is read back, its effects' events are read back,
 * it has a result. Works under the current key.
 */
final class ItemPlayer<I, O> {
    private final StepMachine<I, O> machine;
    private final ItemState<I> items;
    private final RunningEffects effects;
    private final StepJournal journal;
    private final StepMetrics metrics;
    private final Consumer<O> output;
    private boolean live;
    private Set<String> trainedRuns = Set.of();

    ItemPlayer(
            StepMachine<I, O> machine,
            ItemState<I> items,
            RunningEffects effects,
            StepJournal journal,
            StepMetrics metrics,
            Consumer<O> output) {
        this.machine = machine;
        this.items = items;
        this.effects = effects;
        this.journal = journal;
        this.metrics = metrics;
        this.output = output;
    }

    /** From now on items are appended and effects started. */
    void goLive() {
        live = true;
    }

    /** From now on items of these runs are cancelled that the end of training cancels. */
    void trainingEnded(Set<String> runs) {
        trainedRuns = runs;
    }

    boolean isLive() {
        return live;
    }

    /** Takes an item from the edge. */
    void arrive(I input) throws Exception {
        if (!items.arrive(machine.itemId(input), input)) {
            metrics.repeated();
            return;
        }
        metrics.pending(1);
        if (live) {
            journal.append(machine.admitted(input));
        }
    }

    /** Takes an event of this stage from the journal; false when it was not due. */
    boolean readBack(StepEvent event) throws Exception {
        Optional<StepView<I>> now =
                event.kind() == StepEvent.Kind.ADMITTED ? admit(event) : apply(event);
        if (now.isEmpty()) {
            metrics.ignored();
            return false;
        }
        metrics.applied(!live);
        advance(event.itemId(), now.get());
        return true;
    }

    /** Appends the items that came in before the stage was live and were not read back. */
    void appendPending() throws Exception {
        for (I input : items.pending()) {
            journal.append(machine.admitted(input));
        }
    }

    /** Lets the open items go on; gives the names of the leases that they go on with. */
    Set<String> continueOpen() throws Exception {
        Set<String> leases = new HashSet<>();
        for (String itemId : items.openIds()) {
            OpenItem item = items.open(itemId);
            StepView<I> view = items.view(itemId, item);
            machine.due(view).forEach(effect -> leases.add(effect.leaseName()));
            proceed(itemId, item, view);
        }
        return leases;
    }

    /** The new item, or nothing when it is not the item's first admission. */
    private Optional<StepView<I>> admit(StepEvent event) throws Exception {
        if (!items.admissible(event.itemId())) {
            return Optional.empty();
        }
        I input = machine.input(event);
        if (items.admit(event.itemId(), event.admissionId(), input)) {
            metrics.pending(-1);
        }
        metrics.open(1);
        return Optional.of(new StepView<>(input, List.of()));
    }

    /** The item with the event, or nothing when the event is not due. */
    private Optional<StepView<I>> apply(StepEvent event) throws Exception {
        String itemId = event.itemId();
        OpenItem item = items.open(itemId);
        if (item == null || !item.admissionId().equals(event.admissionId())) {
            return Optional.empty();
        }
        effects.landed(itemId, event.effectId());
        StepView<I> before = items.view(itemId, item);
        if (!applicable(event, before)) {
            return Optional.empty();
        }
        items.append(itemId, item, event);
        List<StepEvent> events = new ArrayList<>(before.events());
        events.add(event);
        return Optional.of(new StepView<>(before.input(), events));
    }

    private boolean applicable(StepEvent event, StepView<I> view) {
        return isCancellation(event)
                ? !wasCancelled(view)
                : machine.due(view).stream().anyMatch(e -> e.effectId().equals(event.effectId()));
    }

    /** Ends an item that has a result; else, once live, lets it go on. */
    private void advance(String itemId, StepView<I> view) throws Exception {
        OpenItem item = items.open(itemId);
        Optional<O> result = machine.result(view);
        if (result.isPresent()) {
            output.accept(result.get());
            items.close(itemId, item);
            metrics.open(-1);
            effects.release(itemId, item.admissionId());
        } else if (live) {
            proceed(itemId, item, view);
        }
    }

    private void proceed(String itemId, OpenItem item, StepView<I> view) {
        boolean ends =
                trainedRuns.contains(Admission.runOf(itemId))
                        && machine.cancelledByEndOfTraining(view.input());
        if (ends && !wasCancelled(view)) {
            effects.cancel(cancellation(view.input(), itemId, item.admissionId()));
        } else {
            effects.start(itemId, machine.due(view));
        }
    }

    private StepEvent cancellation(I input, String itemId, String admissionId) {
        return StepEvent.of(
                machine.stage(),
                machine.route(input),
                itemId,
                admissionId,
                StepEvent.CANCEL,
                StepEvent.Kind.CANCELLED,
                0);
    }

    private static boolean wasCancelled(StepView<?> view) {
        return view.events().stream().anyMatch(ItemPlayer::isCancellation);
    }

    private static boolean isCancellation(StepEvent event) {
        return event.kind() == StepEvent.Kind.CANCELLED
                && StepEvent.CANCEL.equals(event.effectId());
    }
}
