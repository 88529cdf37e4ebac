package dev.millrace.operators.watch;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A process function under watch: it is seen when one record keeps the task thread for too long.
 */
public final class WatchedProcess<I, O> extends ProcessOperator<I, O> {
    private static final long serialVersionUID = 1L;

    private final String stage;
    private final WatchSettings settings;
    private transient WatchedCalls calls;

    /** Names the stage. */
    public WatchedProcess(ProcessFunction<I, O> function, String stage, WatchSettings settings) {
        super(function);
        this.stage = stage;
        this.settings = settings;
    }

    @Override
    public void open() throws Exception {
        super.open();
        calls = new WatchedCalls(stage, settings, getRuntimeContext());
    }

    @Override
    public void processElement(StreamRecord<I> element) throws Exception {
        calls.call(super::processElement, element);
    }

    @Override
    public void close() throws Exception {
        if (calls != null) {
            calls.close();
        }
        super.close();
    }
}
