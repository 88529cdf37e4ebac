package dev.millrace.backends.docker;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a refusal of the daemon means. None of them is the policy's fault by itself. */
final class EngineFailure {
    private static final Pattern TOO_OFTEN =
            Pattern.compile("toomanyrequests|too many requests|rate limit|\\b429\\b");
    private static final Pattern NO_NETWORK_LEFT =
            Pattern.compile("address pools? .*subnetted|could not find an available.*address pool");
    private static final Pattern BY_RUNTIME =
            Pattern.compile("oci runtime|oci permission|oci not found|executable file not found");
    private static final int MOST_TEXT = 500;
    private static final double MOST_PAUSE_SECONDS = 600;

    private EngineFailure() {}

    /**
     * Of an answer.
     *
     * @param text what the daemon said
     * @param retryAfter the header of that name, or empty
     */
    static SandboxException answered(EngineCall call, int status, String text, String retryAfter) {
        String message = call.what() + ": " + status + " " + shortened(text);
        if (status == 429 || says(TOO_OFTEN, text) || says(NO_NETWORK_LEFT, text)) {
            return new SandboxException(message, pauseMillis(retryAfter));
        }
        boolean runtime = says(BY_RUNTIME, text);
        // An overloaded daemon answers with 5xx, and so does one whose runtime fails.
        Kind kind = status >= 500 && !runtime ? Kind.UNREACHABLE : Kind.CREATE_FAILED;
        return new SandboxException(kind, message);
    }

    /** Of a pull, whose errors come inside of an answer that began as a success. */
    static SandboxException pulled(String image, String text) {
        String message = "pulling image " + image + ": " + shortened(text);
        return says(TOO_OFTEN, text)
                ? new SandboxException(message, 0)
                : new SandboxException(Kind.IMAGE, message);
    }

    /** Of a call without an answer. */
    static SandboxException unanswered(EngineCall call, IOException e) {
        boolean late = e instanceof SocketTimeoutException;
        boolean interrupted =
                e instanceof ClosedByInterruptException || e instanceof InterruptedIOException;
        if (interrupted && !late) {
            return new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        }
        String why = late ? "no answer in " + call.timeoutMillis() + " ms" : e.getMessage();
        return new SandboxException(
                Kind.UNREACHABLE, false, call.what() + ": the daemon is away: " + why, e);
    }

    /** Whether the container's runtime, not the daemon, could not do it. */
    static boolean byRuntime(String text) {
        return says(BY_RUNTIME, text);
    }

    private static boolean says(Pattern pattern, String text) {
        return pattern.matcher(text.toLowerCase(Locale.ROOT)).find();
    }

    private static long pauseMillis(String retryAfter) {
        Matcher number = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,3})?").matcher(retryAfter);
        double seconds = number.matches() ? Double.parseDouble(retryAfter) : 0;
        return Math.round(Math.min(seconds, MOST_PAUSE_SECONDS) * 1000);
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT) + "...";
    }
}
