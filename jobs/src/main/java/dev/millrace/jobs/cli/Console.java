package dev.millrace.jobs.cli;

import dev.millrace.jobs.view.DisplayStyle;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where commands write.
 *
 * @param out what was asked for
 * @param err what went wrong
 * @param style how runs may be drawn on out
 */
record Console(PrintStream out, PrintStream err, DisplayStyle style) {

    /**
     * Standard output and error. The start script says whether output is a terminal: Java can't
     * tell when input is redirected.
     */
    static Console standard() {
        boolean terminal = Boolean.getBoolean("millrace.terminal");
        DisplayStyle style = DisplayStyle.detect(terminal, System.getenv());
        return new Console(
                stream(FileDescriptor.out, style), stream(FileDescriptor.err, style), style);
    }

    private static PrintStream stream(FileDescriptor descriptor, DisplayStyle style) {
        return new PrintStream(
                new FileOutputStream(descriptor),
                true,
                style.unicode() ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII);
    }
}
