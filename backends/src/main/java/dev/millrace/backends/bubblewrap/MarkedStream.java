package dev.millrace.backends.bubblewrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/** Splits a byte stream at markers. Holds no more than one buffer. */
final class MarkedStream {

    /** Takes what lies before a marker, in pieces. */
    interface Sink {
        void accept(byte[] bytes, int offset, int length);
    }

    private final ReadableByteChannel channel;
    private final byte[] buffer = new byte[1 << 16];
    private int start;
    private int end;

    MarkedStream(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /**
     * Passes everything before the marker on and stops behind it.
     *
     * @return false when the stream ended without the marker
     */
    boolean skipTo(byte[] marker, Sink sink) throws IOException {
        while (true) {
            int at = indexOf(marker);
            if (at >= 0) {
                sink.accept(buffer, start, at - start);
                start = at + marker.length;
                return true;
            }
            int safe = Math.max(0, end - start - (marker.length - 1));
            sink.accept(buffer, start, safe);
            start += safe;
            if (!fill()) {
                sink.accept(buffer, start, end - start);
                start = end;
                return false;
            }
        }
    }

    private boolean fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        int read = channel.read(ByteBuffer.wrap(buffer, end, buffer.length - end));
        if (read <= 0) {
            return false;
        }
        end += read;
        return true;
    }

    private int indexOf(byte[] marker) {
        int last = end - marker.length;
        for (int i = start; i <= last; i++) {
            if (buffer[i] == marker[0]
                    && Arrays.equals(buffer, i, i + marker.length, marker, 0, marker.length)) {
                return i;
            }
        }
        return -1;
    }
}
