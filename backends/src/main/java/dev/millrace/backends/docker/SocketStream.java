package dev.millrace.backends.docker;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A connection whose every wait ends: at its deadline, or when the thread is interrupted. */
final class SocketStream implements Closeable {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer buffer = ByteBuffer.allocate(16 << 10).flip();
    private long deadline;

    SocketStream(Path socket, long timeoutMillis) throws IOException {
        SocketChannel opened = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector waiting = null;
        try {
            opened.connect(UnixDomainSocketAddress.of(socket));
            opened.configureBlocking(false);
            waiting = Selector.open();
            key = opened.register(waiting, SelectionKey.OP_READ);
        } catch (IOException e) {
            opened.close();
            if (waiting != null) {
                waiting.close();
            }
            throw e;
        }
        channel = opened;
        selector = waiting;
        within(timeoutMillis);
    }

    /** Everything from now on has to be done in that time. */
    void within(long millis) {
        deadline = System.nanoTime() + millis * 1_000_000;
    }

    void write(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    /** The next byte, or -1 at the end. */
    int read() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    /** Some of the next bytes, at least one; -1 at the end. */
    int read(byte[] into, int offset, int length) throws IOException {
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(into, offset, count);
        return count;
    }

    private boolean fill() throws IOException {
        while (!buffer.hasRemaining()) {
            buffer.clear();
            int count;
            try {
                count = channel.read(buffer);
            } finally {
                buffer.flip();
            }
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                await(SelectionKey.OP_READ);
            }
        }
        return true;
    }

    private void await(int operation) throws IOException {
        long millis = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        key.interestOps(operation);
        selector.select(millis);
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("cancelled by the caller");
        }
    }

    @Override
    public void close() throws IOException {
        try (selector;
                channel) {
            key.cancel();
        }
    }
}
