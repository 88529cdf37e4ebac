package dev.millrace.backends.port;

/**
 * How a command ended.
 *
 * @param exitCode of the command, 124 when it was timed out, 128 + n when signal n ended it
 * @param output standard output and standard error in the order they were written, capped
 * @param totalOutputBytes written in all, including what was dropped
 * @param timedOut whether the time limit ended it
 * @param oomKilled whether the memory limit ended something of it
 * @param wallMillis how long it ran
 * @param limitThatFired name and real value of the limit, empty when none did
 */
public record ExecResult(
        int exitCode,
        byte[] output,
        long totalOutputBytes,
        boolean timedOut,
        boolean oomKilled,
        long wallMillis,
        String limitThatFired) {}
