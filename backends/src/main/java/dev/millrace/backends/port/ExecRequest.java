package dev.millrace.backends.port;

import java.util.Map;

/**
 * A command for a sandbox.
 *
 * @param effectId id of the effect that wants it; recorded by the sandbox when the command starts
 * @param command shell text
 * @param workdir absolute path, or empty for the sandbox's own
 * @param environment added to the sandbox's environment for this command
 * @param timeoutMillis whole tree of the command is killed after that long
 * @param maxOutputBytes kept of the merged output: first half and last half; the rest is counted
 *     and dropped
 */
public record ExecRequest(
        String effectId,
        String command,
        String workdir,
        Map<String, String> environment,
        long timeoutMillis,
        int maxOutputBytes) {}
