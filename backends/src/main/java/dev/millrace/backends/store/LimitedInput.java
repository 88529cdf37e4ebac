package dev.millrace.backends.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with an error once more was read than a sound file holds. */
final class LimitedInput extends FilterInputStream {
    private long left;

    LimitedInput(InputStream in, long limit) {
        super(in);
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int read) throws IOException {
        left -= read;
        if (left < 0) {
            throw new IOException("Unpacks to more than a sound file holds");
        }
    }
}
