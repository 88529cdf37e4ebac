package dev.millrace.backends.embedded;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Files of weights, with or without the optimiser's state.
 *
 * <p>Content, big-endian: magic, format, vocabulary, width, layers, heads (int each), updates
 * (long, -1 without optimiser), weights and perhaps both moments (float each, in the order of
 * {@link Layout}), CRC-32C of all that (long).
 */
final class PolicyFile {
    private static final int MAGIC = 0x4d524c50;
    private static final int FORMAT = 1;
    private static final long NO_OPTIMIZER = -1;

    /** What a file holds; the optimiser is null in a publication. */
    record Content(Weights weights, Adam optimizer) {}

    private PolicyFile() {}

    /** The bytes of a file. */
    static byte[] encode(Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeTo(bytes, content);
        return bytes.toByteArray();
    }

    /**
     * What the bytes of a file say.
     *
     * @param file its name, for messages
     * @throws IOException when they are damaged
     */
    static Content decode(byte[] bytes, String file) throws IOException {
        int end = bytes.length - Long.BYTES;
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, Math.max(0, end));
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            Content content = readFrom(in, file);
            if (in.available() != Long.BYTES || in.readLong() != sum.getValue()) {
                throw new IOException(file + " is damaged: its checksum does not fit.");
            }
            return content;
        }
    }

    private static void writeTo(OutputStream target, Content content) throws IOException {
        CheckedOutputStream checked =
                new CheckedOutputStream(new BufferedOutputStream(target, 1 << 16), new CRC32C());
        DataOutputStream out = new DataOutputStream(checked);
        ModelShape shape = content.weights().shape();
        out.writeInt(MAGIC);
        out.writeInt(FORMAT);
        out.writeInt(shape.vocabulary());
        out.writeInt(shape.width());
        out.writeInt(shape.layers());
        out.writeInt(shape.heads());
        Adam optimizer = content.optimizer();
        out.writeLong(optimizer == null ? NO_OPTIMIZER : optimizer.steps());
        writeValues(out, content.weights());
        if (optimizer != null) {
            writeValues(out, optimizer.first());
            writeValues(out, optimizer.second());
        }
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
    }

    private static Content readFrom(DataInputStream in, String file) throws IOException {
        if (in.readInt() != MAGIC || in.readInt() != FORMAT) {
            throw new IOException(file + " is not a policy file of this version.");
        }
        ModelShape shape = new ModelShape(in.readInt(), in.readInt(), in.readInt(), in.readInt());
        long steps = in.readLong();
        Weights weights = readValues(in, shape);
        if (steps == NO_OPTIMIZER) {
            return new Content(weights, null);
        }
        return new Content(weights, new Adam(readValues(in, shape), readValues(in, shape), steps));
    }

    private static void writeValues(DataOutputStream out, Weights weights) throws IOException {
        for (float[] part : weights.values()) {
            for (float value : part) {
                out.writeInt(Float.floatToRawIntBits(value));
            }
        }
    }

    private static Weights readValues(DataInputStream in, ModelShape shape) throws IOException {
        Weights weights = Weights.zeros(shape);
        for (float[] part : weights.values()) {
            for (int i = 0; i < part.length; i++) {
                part[i] = Float.intBitsToFloat(in.readInt());
            }
        }
        return weights;
    }
}
