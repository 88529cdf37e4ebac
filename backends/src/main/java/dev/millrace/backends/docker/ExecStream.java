package dev.millrace.backends.docker;

import dev.millrace.backends.sandbox.HeadTailBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * The two streams of a command, which come as frames over one connection: its output, and beside it
 * what the wrapper around it says when it is over. Whatever holds the streams open in the
 * background is not waited for.
 */
final class ExecStream implements Closeable {
    private static final int OUTPUT = 1;
    private static final int REPORT = 2;
    private static final int HEADER = 8;
    private static final int MOST_REPORT_BYTES = 256;

    private final HttpReply reply;
    private final HeadTailBuffer output;
    private final HeadTailBuffer report = new HeadTailBuffer(MOST_REPORT_BYTES);
    private final byte[] header = new byte[HEADER];
    private final byte[] piece = new byte[64 << 10];
    private int inHeader;
    private long left;

    ExecStream(HttpReply reply, int maxOutputBytes) {
        this.reply = reply;
        this.output = new HeadTailBuffer(maxOutputBytes);
    }

    /** How a read ended. */
    enum Got {
        /** Something came. */
        BYTES,
        /** Nothing came in time. */
        NOTHING,
        /** Nothing will come. */
        END
    }

    /** Takes what comes next, waiting no longer than that. */
    Got take(long millis) throws IOException {
        reply.within(Math.max(1, millis));
        try {
            return left == 0 ? takeHeader() : takeContent();
        } catch (SocketTimeoutException nothing) {
            return Got.NOTHING;
        }
    }

    private Got takeHeader() throws IOException {
        int count = reply.read(header, inHeader, HEADER - inHeader);
        if (count < 0) {
            return Got.END;
        }
        inHeader += count;
        if (inHeader == HEADER) {
            inHeader = 0;
            left = 0;
            for (int i = 4; i < HEADER; i++) {
                left = (left << 8) | (header[i] & 0xff);
            }
        }
        return Got.BYTES;
    }

    private Got takeContent() throws IOException {
        int count = reply.read(piece, 0, (int) Math.min(left, piece.length));
        if (count < 0) {
            return Got.END;
        }
        left -= count;
        if (header[0] == REPORT) {
            report.accept(piece, 0, count);
        } else if (header[0] == OUTPUT) {
            output.accept(piece, 0, count);
        }
        return Got.BYTES;
    }

    HeadTailBuffer output() {
        return output;
    }

    /** What the wrapper has said until now. */
    String report() {
        return new String(report.kept(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        reply.close();
    }
}
