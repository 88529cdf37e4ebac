package dev.millrace.backends.harbor;

/**
 * A command that gathers evidence in the agent's sandbox.
 *
 * @param command shell text; whether it succeeds decides nothing
 * @param timeoutMillis longest time it may take
 */
public record CollectCommand(String command, long timeoutMillis) {}
