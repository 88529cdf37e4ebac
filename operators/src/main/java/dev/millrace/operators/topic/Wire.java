package dev.millrace.operators.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * The codec of all topics: JSON, one object a record. Components that a reader does not know are
 * skipped and missing ones are null or 0, so that a record may grow. Thread-safe.
 */
public final class Wire {
    private static final ObjectMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private Wire() {}

    /**
     * The bytes of a record.
     *
     * @throws WireException when its type can't be written
     */
    public static byte[] encode(Object record) {
        return encode(record, record.getClass());
    }

    /**
     * The bytes of the part of a record that one of its supertypes declares.
     *
     * @throws WireException when its type can't be written
     */
    public static byte[] encode(Object record, Class<?> as) {
        try {
            return JSON.writerFor(as).writeValueAsBytes(record);
        } catch (JsonProcessingException e) {
            throw new WireException("Can't encode a " + record.getClass().getSimpleName(), e);
        }
    }

    /**
     * The record in some bytes.
     *
     * @throws WireException when they hold no such record; its message shows none of the bytes
     */
    public static <T> T decode(byte[] bytes, Class<T> type) {
        T record;
        try {
            record = JSON.readValue(bytes, type);
        } catch (IOException e) {
            throw new WireException("Not a " + type.getSimpleName() + " in JSON", e);
        }
        if (record == null) {
            throw new WireException("Not a " + type.getSimpleName() + " but null", null);
        }
        return record;
    }
}
