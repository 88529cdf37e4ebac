package dev.millrace.udfs.admission;

/**
 * Where a training group stands.
 *
 * @param stage how far it came
 * @param cause of DROPPED, else empty
 */
record Fate(Stage stage, String cause) {
    enum Stage {
        /** Admitted, not closed. */
        OPEN,
        /** Closed and mixed; region 2 has said nothing that still holds. */
        WAITING,
        /** In a minibatch of a step that isn't published. */
        TAKEN,
        /** Part of a published version. */
        TRAINED,
        /** Of no use. */
        DROPPED
    }

    static Fate of(Stage stage) {
        return new Fate(stage, "");
    }

    static Fate dropped(String cause) {
        return new Fate(Stage.DROPPED, cause);
    }

    boolean counted() {
        return stage == Stage.TRAINED || stage == Stage.DROPPED;
    }
}
