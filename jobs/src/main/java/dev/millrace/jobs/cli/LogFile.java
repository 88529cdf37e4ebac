package dev.millrace.jobs.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;

/** Sends the log of a run into its output folder. */
final class LogFile {
    private static final String PROPERTY = "millrace.log";

    private LogFile() {}

    /** From now on everything is logged to {@code millrace.log} in that folder. */
    static void in(Path output) {
        System.setProperty(PROPERTY, output.resolve("millrace.log").toAbsolutePath().toString());
        if (LogManager.getContext(false) instanceof LoggerContext context) {
            context.reconfigure();
        }
    }

    static Optional<String> current() {
        return Optional.ofNullable(System.getProperty(PROPERTY));
    }
}
