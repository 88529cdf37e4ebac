package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;

/** Where an attempt is played and whether it still holds a rollout slot. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
final class AttemptSlot {
    /** Key of where it is played; empty before it has one. */
    String route = "";

    /** The admission that is really played. */
    String admissionId = "";

    /** Whether the journal has its admission. */
    boolean journaled;

    /** Whether it holds a slot. */
    boolean open;

    /** Whether it has given its slot back, for good. */
    boolean ended;

    /** How often its steps have failed. */
    int failures;

    /** Takes a slot. */
    void occupy(String chosenRoute, String chosenAdmission) {
        route = chosenRoute;
        admissionId = chosenAdmission;
        open = true;
    }

    /** Gives the slot back. */
    void end() {
        open = false;
        ended = true;
    }
}
