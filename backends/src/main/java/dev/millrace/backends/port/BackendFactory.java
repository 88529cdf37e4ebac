package dev.millrace.backends.port;

import java.io.Serializable;

/**
 * Opens an adapter on the machine where a stage runs.
 *
 * @param <T> the port it implements
 */
@FunctionalInterface
public interface BackendFactory<T> extends Serializable {
    /** A new adapter; the caller closes it if it can be closed. */
    T open();
}
