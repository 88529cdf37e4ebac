package dev.millrace.operators.topic;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A topic does not fit the state that is to be restored. Trying again does not help, so the job
 * fails instead of restarting.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TopicRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    TopicRefusedException(String message) {
        super(message);
    }
}
