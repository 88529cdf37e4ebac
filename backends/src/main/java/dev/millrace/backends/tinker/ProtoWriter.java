package dev.millrace.backends.tinker;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes one message of protocol buffers. */
final class ProtoWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ProtoWriter number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    ProtoWriter number(int field, double value) {
        varint(((long) field << 3) | FIXED64);
        byte[] bytes = new byte[Double.BYTES];
        littleEndian(bytes).putDouble(value);
        out.write(bytes, 0, bytes.length);
        return this;
    }

    ProtoWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter message) {
        return bytes(field, message.toBytes());
    }

    ProtoWriter bytes(int field, byte[] value) {
        varint(((long) field << 3) | DELIMITED);
        varint(value.length);
        out.write(value, 0, value.length);
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    static byte[] packed(float[] values) {
        byte[] bytes = new byte[Float.BYTES * values.length];
        littleEndian(bytes).asFloatBuffer().put(values);
        return bytes;
    }

    static byte[] packed(int[] values) {
        byte[] bytes = new byte[Integer.BYTES * values.length];
        littleEndian(bytes).asIntBuffer().put(values);
        return bytes;
    }

    static byte[] packedLongs(int[] values) {
        byte[] bytes = new byte[Long.BYTES * values.length];
        ByteBuffer buffer = littleEndian(bytes);
        for (int value : values) {
            buffer.putLong(value);
        }
        return bytes;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
