package dev.millrace.backends.sandbox;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files of the kernel's own file systems. Channels would fail in an interrupted thread, and a
 * cancelled caller must not make a live process look gone or a control group look empty.
 */
public final class KernelFiles {
    private KernelFiles() {}

    /** All of it. */
    public static String read(Path file) throws IOException {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** All of it, by lines. */
    public static List<String> lines(Path file) throws IOException {
        return read(file).lines().toList();
    }
}
