package dev.millrace.udfs.model;

/** What the policy wanted with a turn. */
public enum TurnAction {
    /** A command is to be run. */
    COMMAND,
    /** The attempt is done. */
    FINAL,
    /** The turn could not be parsed; the observation says why. */
    FORMAT_ERROR
}
