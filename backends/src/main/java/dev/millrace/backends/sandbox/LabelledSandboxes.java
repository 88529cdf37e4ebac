package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.SandboxException;
import java.util.List;
import java.util.Map;

/** The sandboxes of a service that outlive the processes which made them. */
public interface LabelledSandboxes {

    /**
     * One that exists.
     *
     * @param id by which the service knows it
     * @param labels all that it carries
     */
    record Found(String id, Map<String, String> labels) {}

    /**
     * Those that carry a label.
     *
     * @param value of the label; empty for any
     */
    List<Found> labelled(String label, String value) throws SandboxException;

    /**
     * Ends and removes one, and makes sure that it is gone.
     *
     * @throws SandboxException when it may still be there
     */
    void remove(String id) throws SandboxException;
}
