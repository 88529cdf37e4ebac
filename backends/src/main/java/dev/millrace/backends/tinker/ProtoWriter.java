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
        byte[] bytes = littleEndian(Double.BYTES).putDouble(value).array();
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
        ByteBuffer buffer = littleEndian(Float.BYTES * values.length);
        for (float value : values) {
            buffer.putFloat(value);
        }
        return buffer.array();
    }

    static byte[] packed(int[] values) {
        ByteBuffer buffer = littleEndian(Integer.BYTES * values.length);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

    static byte[] packedLongs(int[] values) {
        ByteBuffer buffer = littleEndian(Long.BYTES * values.length);
        for (int value : values) {
            buffer.putLong(value);
        }
        return buffer.array();
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
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
