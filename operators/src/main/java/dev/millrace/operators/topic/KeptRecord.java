package dev.millrace.operators.topic;

import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * One record in the state of an operator that runs once, encoded as on the wire. It is written
 * whole into every checkpoint, so it must stay small.
 *
 * @param <T> its type
 */
public final class KeptRecord<T> {
    private final ListState<byte[]> state;
    private final Class<T> type;

    private KeptRecord(ListState<byte[]> state, Class<T> type) {
        this.state = state;
        this.type = type;
    }

    /** The record that the state of that name keeps. */
    public static <T> KeptRecord<T> in(OperatorStateStore store, String name, Class<T> type)
            throws Exception {
        return new KeptRecord<>(
                store.getListState(
                        new ListStateDescriptor<>(
                                name, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)),
                type);
    }

    /**
     * What was restored, or another value when there was nothing.
     *
     * @throws WireException when the state holds no such record
     */
    public T or(T otherwise) throws Exception {
        T restored = otherwise;
        for (byte[] bytes : state.get()) {
            restored = Wire.decode(bytes, type);
        }
        return restored;
    }

    /** Keeps a record, instead of the one before. */
    public void keep(T record) throws Exception {
        state.update(List.of(Wire.encode(record)));
    }

    /** Keeps nothing from now on. */
    public void clear() {
        state.clear();
    }
}
