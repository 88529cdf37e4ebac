package dev.millrace.backends.embedded;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * Files of weights, with or without the optimiser's state. A file appears whole or not at all, and
 * is never written again.
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

    /**
     * Writes a file under a name that must not be taken.
     *
     * @throws FileAlreadyExistsException when it is
     */
    static void write(Path file, Content content) throws IOException {
        Files.createDirectories(file.getParent());
        Path partial = Files.createTempFile(file.getParent(), ".partial-", "");
        try {
            try (OutputStream out = Files.newOutputStream(partial)) {
                writeTo(out, content);
            }
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            if (!partial.toFile().setReadable(true, false) || !partial.toFile().setReadOnly()) {
                throw new IOException("Could not make " + partial + " read-only.");
            }
            // Unlike a rename, a link never replaces what is there.
            Files.createLink(file, partial);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /** Reads a file back and checks it. */
    static Content read(Path file) throws IOException {
        CheckedInputStream checked =
                new CheckedInputStream(
                        new BufferedInputStream(Files.newInputStream(file), 1 << 16), new CRC32C());
        try (DataInputStream in = new DataInputStream(checked)) {
            Content content = readFrom(in, file);
            long sum = checked.getChecksum().getValue();
            if (in.readLong() != sum || in.read() != -1) {
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

    private static Content readFrom(DataInputStream in, Path file) throws IOException {
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
