package dev.millrace.backends.tinker;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** A call to a server failed. */
final class TinkerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    enum Kind {
        /** No connection: the call was not made. */
        UNREACHABLE,
        /** No answer, or none that says anything; whether it was carried out is not known. */
        UNANSWERED,
        /** This side's own time limit; whether it was carried out is not known. */
        TIMED_OUT,
        /** Too many calls; it was not carried out. */
        BUSY,
        /** The key is missing or has no rights. */
        UNAUTHORIZED,
        /** The account's payment is in the way. */
        BILLING,
        /** The call itself is refused. */
        INVALID,
        /** What it names does not exist, or no longer. */
        NOT_FOUND,
        /** The name or number was used before. */
        CONFLICT,
        /** What it names is still being made. */
        NOT_READY,
        /** The result is lost; the call may be made anew. */
        RESULT_LOST,
        /** It was queued and failed. */
        OPERATION,
        /** This client was closed. */
        CLOSED
    }

    private final Kind kind;
    private final long retryAfterMillis;

    TinkerException(Kind kind, String message) {
        this(kind, message, 0, null);
    }

    TinkerException(Kind kind, String message, long retryAfterMillis, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfterMillis = retryAfterMillis;
    }

    /** What a future failed with. */
    static TinkerException of(Throwable thrown) {
        Throwable root = thrown;
        while ((root instanceof CompletionException || root instanceof ExecutionException)
                && root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof TinkerException known
                ? known
                : new TinkerException(Kind.OPERATION, root.toString(), 0, root);
    }

    Kind kind() {
        return kind;
    }

    /** How long nobody should ask again; 0 when the server said nothing. */
    long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** Whether the call may have been carried out all the same. */
    boolean outcomeUnknown() {
        return kind == Kind.UNANSWERED || kind == Kind.TIMED_OUT;
    }

    /** Whether the same call may succeed later, its effect aside. */
    boolean passing() {
        return outcomeUnknown() || kind == Kind.BUSY || kind == Kind.UNREACHABLE;
    }

    /** Whether the server has dropped the model: its adapter is not loaded any more. */
    boolean modelGone() {
        return kind == Kind.RESULT_LOST || kind == Kind.NOT_FOUND || unloaded();
    }

    /** Whether the server says that a model is not loaded. */
    boolean unloaded() {
        String said = getMessage().toLowerCase(java.util.Locale.ROOT);
        return said.contains("not loaded") || said.contains("unloaded");
    }

    /** Whether all adapter slots are taken. */
    boolean noFreeSlot() {
        return getMessage().contains("Maximum number of LoRA adapters");
    }
}
