package dev.millrace.backends.dataset;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A file of lines that remembers where each line lies, to copy some of them. */
final class LineFile implements AutoCloseable {
    private final Path file;
    private final OutputStream out;
    private long[] ends = new long[1024];
    private int lines;

    LineFile(Path file) throws IOException {
        this.file = file;
        this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    void append(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(bytes);
        if (lines == ends.length) {
            ends = Arrays.copyOf(ends, 2 * lines);
        }
        ends[lines] = start(lines) + bytes.length;
        lines++;
    }

    /** Writes lines by their numbers, the first is 0, into a file of their own. */
    void copy(int[] chosen, Path target) throws IOException {
        out.flush();
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel to =
                        FileChannel.open(
                                target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int line : chosen) {
                long at = start(line);
                while (at < ends[line]) {
                    at += from.transferTo(at, ends[line] - at, to);
                }
            }
        }
    }

    private long start(int line) {
        return line == 0 ? 0 : ends[line - 1];
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
