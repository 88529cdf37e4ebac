package dev.millrace.operators.watch;

import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A keyed process function under watch: it is seen when one record or timer keeps the task thread
 * for too long.
 */
public final class WatchedKeyedProcess<K, I, O> extends KeyedProcessOperator<K, I, O> {
    private static final long serialVersionUID = 1L;

    private final String stage;
    private final WatchSettings settings;
    private transient WatchedCalls calls;

    /** Names the stage. */
    public WatchedKeyedProcess(
            KeyedProcessFunction<K, I, O> function, String stage, WatchSettings settings) {
        super(function);
        this.stage = stage;
        this.settings = settings;
    }

    @Override
    public void open() throws Exception {
        if (getUserFunction() instanceof SeveralKeys several) {
            several.switchKeysBy(this::setCurrentKey);
        }
        super.open();
        calls = new WatchedCalls(stage, settings, getRuntimeContext());
    }

    @Override
    public void processElement(StreamRecord<I> element) throws Exception {
        calls.call(super::processElement, element);
    }

    @Override
    public void onProcessingTime(InternalTimer<K, VoidNamespace> timer) throws Exception {
        calls.call(super::onProcessingTime, timer);
    }

    @Override
    public void close() throws Exception {
        if (calls != null) {
            calls.close();
        }
        super.close();
    }
}
