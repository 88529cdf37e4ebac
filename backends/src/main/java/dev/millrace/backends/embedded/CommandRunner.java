package dev.millrace.backends.embedded;

import dev.millrace.backends.port.SandboxException;

/** Runs the commands of a demonstration in its task's sandbox. */
@FunctionalInterface
public interface CommandRunner {
    /** What the policy would see of a command, as {@link TurnRenderer#describe} says it. Blocks. */
    String run(String command) throws SandboxException;
}
