package dev.millrace.udfs.model;

/**
 * A line of the journal, the topic {@code turns}: an item was admitted to a stage, or one of its
 * effects completed. The first event of an effect in topic order is what happened.
 *
 * @param stage which durable step stage it belongs to
 * @param route key of the item
 * @param itemId the attempt
 * @param admissionId which admission of it
 * @param effectId the effect that completed; {@code admit} and {@code cancel} for those two kinds
 * @param kind which of the parts below is set
 * @param wallMillis how long the effect ran
 * @param admission what was admitted, in the stage {@code rollout}
 * @param finished what was admitted, in the stage {@code grading}
 * @param booted set for BOOTED
 * @param sampled set for SAMPLED
 * @param executed set for EXECUTED
 * @param captured set for CAPTURED
 * @param graded set for GRADED
 * @param failure set for FAILED
 */
public record StepEvent(
        String stage,
        String route,
        String itemId,
        String admissionId,
        String effectId,
        Kind kind,
        long wallMillis,
        Admission admission,
        FinishedAttempt finished,
        Booted booted,
        Sampled sampled,
        Executed executed,
        Captured captured,
        Graded graded,
        Failure failure) {

    /** Effect id of an admission. */
    public static final String ADMIT = "admit";

    /** Effect id of a cancellation. */
    public static final String CANCEL = "cancel";

    /** An event without any of the parts. */
    public static StepEvent of(
            String stage,
            String route,
            String itemId,
            String admissionId,
            String effectId,
            Kind kind,
            long wallMillis) {
        return new StepEvent(
                stage,
                route,
                itemId,
                admissionId,
                effectId,
                kind,
                wallMillis,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** This event with what was admitted to the stage {@code rollout}. */
    public StepEvent with(Admission part) {
        return parts(part, finished, booted, sampled, executed, captured, graded, failure);
    }

    /** This event with what was admitted to the stage {@code grading}. */
    public StepEvent with(FinishedAttempt part) {
        return parts(admission, part, booted, sampled, executed, captured, graded, failure);
    }

    /** This event with a prompt. */
    public StepEvent with(Booted part) {
        return parts(admission, finished, part, sampled, executed, captured, graded, failure);
    }

    /** This event with the policy's part of a turn. */
    public StepEvent with(Sampled part) {
        return parts(admission, finished, booted, part, executed, captured, graded, failure);
    }

    /** This event with the environment's part of a turn. */
    public StepEvent with(Executed part) {
        return parts(admission, finished, booted, sampled, part, captured, graded, failure);
    }

    /** This event with what the attempt left. */
    public StepEvent with(Captured part) {
        return parts(admission, finished, booted, sampled, executed, part, graded, failure);
    }

    /** This event with a verdict. */
    public StepEvent with(Graded part) {
        return parts(admission, finished, booted, sampled, executed, captured, part, failure);
    }

    /** This event with a failure. */
    public StepEvent with(Failure part) {
        return parts(admission, finished, booted, sampled, executed, captured, graded, part);
    }

    private StepEvent parts(
            Admission admitted,
            FinishedAttempt taken,
            Booted prompt,
            Sampled spoken,
            Executed ran,
            Captured left,
            Graded verdict,
            Failure failed) {
        return new StepEvent(
                stage,
                route,
                itemId,
                admissionId,
                effectId,
                kind,
                wallMillis,
                admitted,
                taken,
                prompt,
                spoken,
                ran,
                left,
                verdict,
                failed);
    }

    /** What happened. */
    public enum Kind {
        /** The stage took the item. */
        ADMITTED,
        /** Its sandbox stands. */
        BOOTED,
        /** The policy spoke. */
        SAMPLED,
        /** A command ran. */
        EXECUTED,
        /** Its workspace and trajectory are stored. */
        CAPTURED,
        /** The verifier gave a verdict. */
        GRADED,
        /** An effect failed for good. */
        FAILED,
        /** The item is to end without an answer of its effects. */
        CANCELLED
    }
}
