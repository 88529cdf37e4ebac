package dev.millrace.udfs.testlog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Output of real runners on small projects: standard output and error together. */
final class Samples {
    private Samples() {}

    static String log(String name) {
        return text(name + ".log");
    }

    static String text(String file) {
        try (InputStream in = Samples.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TestLog parsed(String parser, String name) {
        return LogParsers.named(parser).orElseThrow().parse(log(name));
    }
}
