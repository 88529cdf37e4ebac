package dev.millrace.pipeline.settings;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

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
                Determinism determinism,
        @Setting(
                        about =
                                "runs of this recipe in one job, each with its own policy, seed and"
                                    + " versions; they share the rollout slots, the sandboxes and"
                                    + " the policy server, and one that fails ends alone",
                        byDefault = "1",
                        min = "1",
                        max = "64")
                int clients,
        @Setting(
                        about =
                                "how much of the rollout slots each client gets while all have"
                                        + " work: `equal`, or a weight for each of them",
                        byDefault = "equal",
                        pattern = "equal|[1-9]\\d{0,3}(,[1-9]\\d{0,3})*",
                        patternAbout = "`equal` or a comma-separated list of whole numbers")
                String clientWeights)
        implements Serializable {
    private static final String EQUAL = "equal";

    /** What of a run may depend on time. */
    public enum Determinism {
        /** Which groups make up a batch. */
        FREE,
        /** Nothing that the weights depend on. */
        LOCKSTEP
    }

    /** The weight of each client, in order. */
    public List<Double> weights() {
        return clientWeights.equals(EQUAL)
                ? Collections.nCopies(clients, 1.0)
                : Stream.of(clientWeights.split(",")).map(Double::valueOf).toList();
    }

    /** Whether the weights must not depend on time. */
    public boolean lockstep() {
        return determinism == Determinism.LOCKSTEP;
    }
}
