package dev.millrace.pipeline.adapters;

import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.Sampler;
import java.io.Serializable;

/** What attempts need of a policy, opened on the machine where they are played. */
interface PolicyPorts extends Serializable {
    /** A new sampler; the caller closes it. */
    Sampler sampler();

    /** What speaks to the policy. */
    ChatRenderer renderer();
}
