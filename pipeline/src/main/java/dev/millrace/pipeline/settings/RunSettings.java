package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** What the run is called, and what all its random choices come from. */
public record RunSettings(
        @Setting(
                        about = "name of the run; its run id is this and a random suffix",
                        pattern = "[a-z0-9][a-z0-9-]{0,39}",
                        patternAbout =
                                "1 to 40 lower-case letters, digits and hyphens, not starting with"
                                        + " a hyphen")
                String name,
        @Setting(
                        about =
                                "seed of all random choices: tasks, order, sampling, initial"
                                        + " weights",
                        byDefault = "1",
                        min = "0")
                long seed,
        @Setting(
                        about =
                                "`free` trains on groups as they close; `lockstep` makes the"
                                    + " weights a function of the recipe and its seed, bit for bit,"
                                    + " whatever fails on the way: batches by group index, lag 0,"
                                    + " `rollout.maxTries` and `rollout.groupDeadline` end nothing"
                                    + " and `rollout.attemptTimeout` counts a hundredfold",
                        byDefault = "free")
                Determinism determinism)
        implements Serializable {

    /** What of a run may depend on time. */
    public enum Determinism {
        /** Which groups make up a batch. */
        FREE,
        /** Nothing that the weights depend on. */
        LOCKSTEP
    }

    /** Whether the weights must not depend on time. */
    public boolean lockstep() {
        return determinism == Determinism.LOCKSTEP;
    }
}
