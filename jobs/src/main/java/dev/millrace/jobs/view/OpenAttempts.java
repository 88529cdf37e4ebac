package dev.millrace.jobs.view;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.StepEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The attempts that the journal says are in play or being graded. */
final class OpenAttempts {
    private static final String ROLLOUT = "rollout";
    private static final Set<StepEvent.Kind> ENDS =
            Set.of(StepEvent.Kind.CAPTURED, StepEvent.Kind.GRADED, StepEvent.Kind.CANCELLED);

    private final Map<String, String> playing = new HashMap<>();
    private final Map<String, String> grading = new HashMap<>();
    private final Rate turnRate = new Rate();
    private final Rate attemptRate = new Rate();
    private long turns;
    private long attempts;

    /**
     * Takes a line of the journal.
     *
     * @param groupIsClosed says whether a group is closed: an admission of it is not open any more
     */
    void step(StepEvent event, long millis, Predicate<String> groupIsClosed) {
        Map<String, String> stage = event.stage().equals(ROLLOUT) ? playing : grading;
        String attempt = event.itemId() + ' ' + event.admissionId();
        if (event.kind() == StepEvent.Kind.ADMITTED) {
            String group = admission(event).groupId();
            if (!groupIsClosed.test(group)) {
                stage.put(attempt, group);
            }
        } else if (ENDS.contains(event.kind())) {
            stage.remove(attempt);
        }
        if (event.kind() == StepEvent.Kind.SAMPLED) {
            turns++;
            turnRate.add(millis);
        } else if (event.kind() == StepEvent.Kind.CAPTURED) {
            attempts++;
            attemptRate.add(millis);
        }
    }

    /** Counts a line whose time and attempt are not known. */
    void count(String kind) {
        if (kind.equals(StepEvent.Kind.SAMPLED.name())) {
            turns++;
        } else if (kind.equals(StepEvent.Kind.CAPTURED.name())) {
            attempts++;
        }
    }

    /** A closed group has no open attempt, however its attempts ended. */
    void groupClosed(String groupId) {
        playing.values().removeIf(groupId::equals);
        grading.values().removeIf(groupId::equals);
    }

    Activity activity(long nowMillis) {
        return new Activity(
                playing.size(),
                grading.size(),
                turnRate.perSecond(nowMillis),
                attemptRate.perSecond(nowMillis),
                turns,
                attempts);
    }

    private static Admission admission(StepEvent event) {
        return event.admission() != null ? event.admission() : event.finished().admission();
    }
}
