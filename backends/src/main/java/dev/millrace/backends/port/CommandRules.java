package dev.millrace.backends.port;

import java.util.Map;

/**
 * How a policy's commands are run.
 *
 * @param environment added to the sandbox's
 * @param maxOutputBytes most bytes of a command's output that are looked at; of more, the middle is
 *     lost
 */
public record CommandRules(Map<String, String> environment, int maxOutputBytes) {
    /** Nothing is added, and 64 KiB are looked at. */
    public static final CommandRules USUAL = new CommandRules(Map.of(), 64 * 1024);

    /** Copied. */
    public CommandRules {
        environment = Map.copyOf(environment);
    }
}
