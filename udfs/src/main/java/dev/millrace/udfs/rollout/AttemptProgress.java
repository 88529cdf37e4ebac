package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Captured;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.TurnAction;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an attempt stands: the fold of its events. A lost try leaves nothing behind but its count
 * and its cause.
 */
final class AttemptProgress {
    final Admission admission;
    int tries = 1;
    Failure lastFailure;
    boolean cancelled;
    boolean booted;
    boolean sandboxEnded;
    boolean timeUp;
    boolean givenUp;
    Captured captured;
    boolean submitted;
    ContentRef submission;
    long runningMillis;
    int formatErrorStreak;
    int steps = 1;
    int stepsEnded;
    boolean stepsOver;
    PolicyVersion oldestVersion;
    TokenLedger ledger = new TokenLedger();
    List<PlayedTurn> turns = new ArrayList<>();

    private AttemptProgress(Admission admission) {
        this.admission = admission;
    }

    static AttemptProgress of(Admission admission, List<StepEvent> events) {
        AttemptProgress progress = new AttemptProgress(admission);
        events.forEach(progress::apply);
        return progress;
    }

    /** The last turn, if the environment has not answered all of it yet. */
    PlayedTurn openTurn() {
        if (turns.isEmpty()) {
            return null;
        }
        PlayedTurn last = turns.get(turns.size() - 1);
        return last.answered() ? null : last;
    }

    /** Whether the step that is played now is the task's last. */
    boolean isLastStep() {
        return stepsEnded + 1 >= steps;
    }

    PlayedTurn lastTurn() {
        return turns.isEmpty() ? null : turns.get(turns.size() - 1);
    }

    private void apply(StepEvent event) {
        switch (event.kind()) {
            case BOOTED -> {
                booted = true;
                steps = Math.max(1, event.booted().steps());
                ledger.appendGiven(event.booted().promptTokens());
            }
            case SAMPLED -> sampled(event.sampled(), event.wallMillis());
            case EXECUTED -> executed(event.executed(), event.effectId(), event.wallMillis());
            case CAPTURED -> captured = event.captured();
            case FAILED -> failed(event.failure(), event.wallMillis());
            case CANCELLED -> cancelled = true;
            case ADMITTED, GRADED ->
                    throw new IllegalStateException(
                            "event " + event.kind() + " is none of an open attempt");
        }
    }

    private void sampled(Sampled part, long wallMillis) {
        turns.add(new PlayedTurn(ledger.length(), part, List.of()));
        ledger.appendSampled(part);
        runningMillis += wallMillis;
        formatErrorStreak = part.action() == TurnAction.FORMAT_ERROR ? formatErrorStreak + 1 : 0;
        if (part.tokens().length > 0
                && (oldestVersion == null || part.served().compareTo(oldestVersion) < 0)) {
            oldestVersion = part.served();
        }
    }

    private void executed(Executed part, String effectId, long wallMillis) {
        PlayedTurn open = turns.remove(turns.size() - 1);
        turns.add(open.with(new PlayedTurn.Answer(part, effectId)));
        ledger.takeBack(part.takenBack());
        ledger.appendGiven(part.observationTokens());
        runningMillis += wallMillis;
        submitted |= part.submitted();
        submission = part.submission();
        sandboxEnded |= part.sandboxEnded();
        if (part.end() != null) {
            stepsEnded++;
            stepsOver |= part.end().over();
        }
    }

    private void failed(Failure failure, long wallMillis) {
        if (failure.cause().equals(Failure.ATTEMPT_DEADLINE)) {
            timeUp = true;
            runningMillis += wallMillis;
            return;
        }
        if (failure.failureClass() == FailureClass.POLICY) {
            sandboxEnded = true;
            return;
        }
        lastFailure = failure;
        tries++;
        givenUp = !failure.worthAnotherTry();
        booted = false;
        sandboxEnded = false;
        timeUp = false;
        submitted = false;
        submission = null;
        stepsEnded = 0;
        stepsOver = false;
        runningMillis = 0;
        formatErrorStreak = 0;
        oldestVersion = null;
        ledger = new TokenLedger();
        turns = new ArrayList<>();
    }
}
