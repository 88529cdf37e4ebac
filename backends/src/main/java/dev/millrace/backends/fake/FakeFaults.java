package dev.millrace.backends.fake;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxSpec;

/** What goes wrong with fake sandboxes; each is asked before the thing is done. */
public interface FakeFaults {
    /** Nothing goes wrong. */
    FakeFaults NONE = new FakeFaults() {};

    /** A sandbox is to be created. May block until it is interrupted. */
    default void create(SandboxSpec spec) throws SandboxException, InterruptedException {}

    /** A command is to be run. May block until it is interrupted. */
    default void exec(String leaseName, ExecRequest request)
            throws SandboxException, InterruptedException {}

    /** A command has run, its answer is on the way. May block until it is interrupted. */
    default void answer(String leaseName, ExecRequest request)
            throws SandboxException, InterruptedException {}

    /** A sandbox is to be removed. May block until it is interrupted. */
    default void terminate(String leaseName) throws SandboxException, InterruptedException {}
}
