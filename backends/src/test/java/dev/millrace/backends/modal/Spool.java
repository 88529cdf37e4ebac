package dev.millrace.backends.modal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Keeps all that a command writes on a stream, for readers that come at any offset. */
final class Spool implements Closeable {
    private static final int PIECE_BYTES = 64 << 10;

    /** Who writes more has to wait for ever, as for a reader that has gone away. */
    private static final long MOST_BYTES = 200L << 20;

    private final FileChannel file;
    private long size;
    private boolean ended;

    Spool() throws IOException {
        Path path = Files.createTempFile("spool", ".bin");
        file =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Takes all of a stream, in the caller's thread. */
    void drain(InputStream in) {
        byte[] piece = new byte[PIECE_BYTES];
        try (in) {
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                append(ByteBuffer.wrap(piece, 0, count));
            }
        } catch (IOException closed) {
            // The command is gone.
        } finally {
            end();
        }
    }

    private synchronized void append(ByteBuffer bytes) throws IOException {
        while (size > MOST_BYTES && !ended) {
            pause();
        }
        if (ended) {
            throw new IOException("closed");
        }
        size += file.write(bytes, size);
        notifyAll();
    }

    private void pause() throws IOException {
        try {
            TimeUnit.SECONDS.timedWait(this, 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /**
     * Bytes from there on, at least one.
     *
     * @return null at the end; empty when nothing came for a moment
     */
    synchronized byte[] read(long offset) {
        try {
            if (offset >= size && !ended) {
                pause();
            }
            if (offset >= size) {
                return ended ? null : new byte[0];
            }
            ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, size - offset));
            file.read(piece, offset);
            return piece.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        end();
        file.close();
    }
}
