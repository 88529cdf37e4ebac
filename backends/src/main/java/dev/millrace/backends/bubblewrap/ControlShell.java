package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.HeadTailBuffer;
import dev.millrace.backends.sandbox.ShellText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The shell inside a sandbox that takes one request after another. It runs each in a background
 * subshell and waits, so that a TERM signal reaches it at once; its answer to that is to kill all
 * other processes of the sandbox, in one system call that no fork can slip through.
 *
 * <p>Each request carries a fresh random nonce, which is in the markers around its output. What
 * runs inside under the same user could find it out and forge an answer, or end this shell; either
 * way it spoils its own sandbox and nothing else.
 */
final class ControlShell {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] NEW_LINE = {'\n'};
    private static final int MOST_DIGITS = 12;

    private final Slot.Pipes pipes;
    private final MarkedStream answers;

    ControlShell(Slot.Pipes pipes) {
        this.pipes = pipes;
        answers = new MarkedStream(pipes.answers());
    }

    /** Something to do between the start of a request and its end. */
    interface Feed {
        void write() throws IOException;
    }

    /**
     * Sends the preparation and waits for its end.
     *
     * @return what came instead of the sign of life, or null when all is well
     */
    String prepare(String script) throws IOException {
        byte[] marker = marker("R");
        send(script + printf(marker, "") + "\n");
        HeadTailBuffer before = new HeadTailBuffer(2000);
        if (answers.skipTo(marker, before::accept)) {
            return null;
        }
        return new String(before.kept(), StandardCharsets.UTF_8).strip();
    }

    /**
     * Runs shell text in a subshell.
     *
     * @param input where its standard input comes from, as a redirection
     * @param feed called once the text runs; may be null
     * @return its exit code, or -1 when the shell is gone
     */
    int run(String body, String input, MarkedStream.Sink sink, Feed feed) throws IOException {
        String nonce = nonce();
        byte[] begin = marker("B" + nonce);
        byte[] end = marker("E" + nonce);
        String text = printf(begin, "") + "; (\n" + body + "\n) " + input + " 3<&- 2>&1 & ";
        send(text + "wait $!; " + printf(end, "%d\\n") + " $?\n");
        if (!answers.skipTo(begin, ControlShell::ignore)) {
            return -1;
        }
        if (feed != null) {
            feed.write();
        }
        if (!answers.skipTo(end, sink)) {
            return -1;
        }
        HeadTailBuffer digits = new HeadTailBuffer(2 * MOST_DIGITS);
        if (!answers.skipTo(NEW_LINE, digits::accept)) {
            return -1;
        }
        try {
            return Integer.parseInt(new String(digits.kept(), StandardCharsets.US_ASCII));
        } catch (NumberFormatException forged) {
            return -1;
        }
    }

    /**
     * Waits until a pending signal has been acted on.
     *
     * @return false when the shell is gone
     */
    boolean settle() throws IOException {
        byte[] marker = marker("S" + nonce());
        send(":\n:\n" + printf(marker, "") + "\n");
        return answers.skipTo(marker, ControlShell::ignore);
    }

    void send(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    void write(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            pipes.requests().write(buffer);
        }
    }

    /** Reads to the end of everything that could still be written. */
    void drain() throws IOException {
        answers.skipTo(marker("D" + nonce()), ControlShell::ignore);
    }

    private static void ignore(byte[] bytes, int offset, int length) {}

    private static String nonce() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] marker(String text) {
        return ("\001" + text + "\002").getBytes(StandardCharsets.US_ASCII);
    }

    private static String printf(byte[] marker, String behind) {
        StringBuilder format = new StringBuilder();
        ShellText.printfFormat(marker, format);
        return "printf '" + format + behind + "'";
    }
}
