package dev.millrace.operators.watch;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.function.ThrowingConsumer;

/** Calls of one subtask's task thread under watch: one that takes too long is seen. */
final class WatchedCalls implements AutoCloseable {
    private final StagePulse pulse;
    private final StageWatch watch;

    /** To be opened by the task thread. */
    WatchedCalls(String stage, WatchSettings settings, RuntimeContext context) {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        pulse = new StagePulse(settings.runId(), stage, subtask, () -> false);
        watch = settings.open(pulse);
    }

    <T> void call(ThrowingConsumer<T, Exception> code, T argument) throws Exception {
        pulse.enter();
        code.accept(argument);
        pulse.leave();
    }

    @Override
    public void close() {
        watch.close();
    }
}
