package dev.millrace.backends.port;

/**
 * What a policy wants to happen after a turn.
 *
 * @param kind which of the three
 * @param command shell text, for a command
 * @param feedback what to tell the policy, for a format error
 */
public record Action(Kind kind, String command, String feedback) {

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
