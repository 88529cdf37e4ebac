package dev.millrace.backends.tinker;

import dev.millrace.backends.tinker.TinkerException.Kind;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fields of one message of protocol buffers, in order. */
final class ProtoReader {

    /**
     * A field.
     *
     * @param number of the field
     * @param value of a number that is a varint; else 0
     * @param bytes of what has a length; else empty
     */
    record Field(int number, long value, byte[] bytes) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private ProtoReader() {}

    static List<Field> fields(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        try {
            while (in.hasRemaining()) {
                fields.add(field(in));
            }
        } catch (BufferUnderflowException e) {
            throw broken();
        }
        return fields;
    }

    private static Field field(ByteBuffer in) {
        long key = varint(in);
        int number = (int) (key >>> 3);
        return switch ((int) key & 7) {
            case 0 -> new Field(number, varint(in), new byte[0]);
            case 1 -> new Field(number, 0, take(in, 8));
            case 2 -> new Field(number, 0, take(in, varint(in)));
            case 5 -> new Field(number, 0, take(in, 4));
            default -> throw broken();
        };
    }

    private static byte[] take(ByteBuffer in, long length) {
        if (length < 0 || length > in.remaining()) {
            throw broken();
        }
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        return bytes;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw broken();
    }

    static float[] floats(byte[] packed) {
        float[] values = new float[packed.length / Float.BYTES];
        ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }

    static int[] ints(byte[] packed) {
        int[] values = new int[packed.length / Integer.BYTES];
        ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
        return values;
    }

    static long[] longs(byte[] packed) {
        long[] values = new long[packed.length / Long.BYTES];
        ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
        return values;
    }

    static TinkerException broken() {
        return new TinkerException(Kind.OPERATION, "The server's protobuf answer is broken.");
    }
}
