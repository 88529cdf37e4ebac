package dev.millrace.backends.port;

import java.util.List;

/**
 * What a policy wants to happen after a turn.
 *
 * @param kind which of the three
 * @param command shell text, for a command
 * @param feedback what to tell the policy, for a format error
 * @param more shell texts of the commands that follow it in the same turn
 */
public record Action(Kind kind, String command, String feedback, List<String> more) {

    /** What one command, or none, asks for. */
    public Action(Kind kind, String command, String feedback) {
        this(kind, command, feedback, List.of());
    }

    /** Commands that are run one after the other. */
    public static Action commands(List<String> commands) {
        return new Action(
                Kind.COMMAND,
                commands.get(0),
                "",
                List.copyOf(commands.subList(1, commands.size())));
    }

    /** Kinds of action. */
    public enum Kind {
        /** Run a command. */
        COMMAND,
        /** The attempt is done. */
        FINAL,
        /** The turn could not be understood. */
        FORMAT_ERROR
    }
}
