package dev.millrace.backends.docker;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** An answer whose body is read as it comes: sized, in chunks, or until the connection ends. */
final class HttpReply implements Closeable {
    private static final int LONGEST_LINE = 64 << 10;
    private static final int MOST_HEADERS = 200;

    private final SocketStream stream;
    private final int status;
    private final Map<String, String> headers = new HashMap<>();
    private final boolean chunked;
    private long left;

    private HttpReply(SocketStream stream, boolean bodiless) throws IOException {
        this.stream = stream;
        String[] words = line().split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[0-9]{3}")) {
            throw new IOException("this is no HTTP server");
        }
        status = Integer.parseInt(words[1]);
        String line = line();
        while (!line.isEmpty() && headers.size() < MOST_HEADERS) {
            int colon = Math.max(0, line.indexOf(':'));
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
            line = line();
        }
        chunked = header("transfer-encoding").equalsIgnoreCase("chunked");
        left = bodiless || status == 204 || status == 304 ? 0 : length();
    }

    /** Reads status and headers. */
    static HttpReply read(SocketStream stream, boolean bodiless) throws IOException {
        return new HttpReply(stream, bodiless);
    }

    private long length() throws IOException {
        if (chunked) {
            return -1;
        }
        String length = header("content-length");
        if (length.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (!length.matches("[0-9]{1,18}")) {
            throw new IOException("the answer has no valid length");
        }
        return Long.parseLong(length);
    }

    int status() {
        return status;
    }

    /** Its value, or empty. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** From now on the rest of the body has to come in that time. */
    void within(long millis) {
        stream.within(millis);
    }

    /** Some of the next bytes of the body, at least one; -1 at its end. */
    int read(byte[] into, int offset, int length) throws IOException {
        if (left < 0 && !nextChunk()) {
            return -1;
        }
        if (left == 0) {
            return -1;
        }
        int count = stream.read(into, offset, (int) Math.min(length, left));
        if (count < 0) {
            if (chunked || left != Long.MAX_VALUE) {
                throw new IOException("the answer was cut off");
            }
            left = 0;
            return -1;
        }
        if (left != Long.MAX_VALUE) {
            left -= count;
        }
        if (left == 0 && chunked) {
            line();
            left = -1;
        }
        return count;
    }

    private boolean nextChunk() throws IOException {
        String size = line().split(";", 2)[0].strip();
        if (!size.matches("[0-9a-fA-F]{1,15}")) {
            throw new IOException("the answer has no valid chunks");
        }
        left = Long.parseLong(size, 16);
        return left > 0;
    }

    /** The body, of which no more than so many bytes are kept. */
    byte[] body(int most) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        int count = read(piece, 0, piece.length);
        while (count >= 0 && out.size() <= most) {
            out.write(piece, 0, count);
            count = read(piece, 0, piece.length);
        }
        return out.toByteArray();
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = stream.read();
        while (c >= 0 && c != '\n') {
            if (line.size() > LONGEST_LINE) {
                throw new IOException("a line of the answer is too long");
            }
            line.write(c);
            c = stream.read();
        }
        if (c < 0) {
            throw new IOException("the daemon closed the connection");
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
