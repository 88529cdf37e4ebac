package dev.millrace.bench.sim;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Calls of the simulated services that can go wrong. */
public enum FaultTarget {
    /** Sampling and log-probabilities. */
    MODEL,
    /** Creating a sandbox. */
    CREATE,
    /** Running a command. */
    EXEC,
    /** Finding a live sandbox again. */
    ATTACH,
    /** Ending a sandbox. */
    TERMINATE,
    /** Running the tests of an attempt. */
    GRADE,
    /** All calls of a trainer's session. */
    TRAINER;

    static Optional<FaultTarget> named(String name) {
        return Arrays.stream(values()).filter(t -> t.text().equals(name)).findFirst();
    }

    static String all() {
        return Arrays.stream(values()).map(FaultTarget::text).collect(Collectors.joining(", "));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
