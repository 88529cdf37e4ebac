package dev.millrace.jobs.preflight;

import java.util.Optional;

/**
 * The Java version must be one that Flink and Hadoop's file formats run on.
 *
 * @param feature major version, for instance 17
 */
public record JavaVersionCheck(int feature) implements Check {
    private static final int OLDEST = 17;
    // From 24 on there is no Subject.getSubject, which Hadoop's file system classes call.
    private static final int NEWEST = 23;

    /** The check of the running Java. */
    public static JavaVersionCheck running() {
        return new JavaVersionCheck(Runtime.version().feature());
    }

    @Override
    public Optional<String> refusal() {
        return feature >= OLDEST && feature <= NEWEST
                ? Optional.empty()
                : Optional.of(
                        "this is Java "
                                + feature
                                + "; Millrace needs Java 17 (or up to 23): set JAVA_HOME to one");
    }
}
