package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Set;

/** What a refusal of the server means. None of them is the policy's fault by itself. */
final class ModalFailure {
    private static final Set<Status.Code> PASSING =
            Set.of(
                    Status.Code.DEADLINE_EXCEEDED,
                    Status.Code.UNAVAILABLE,
                    Status.Code.CANCELLED,
                    Status.Code.INTERNAL,
                    Status.Code.UNKNOWN);
    private static final int MOST_TEXT = 500;

    private ModalFailure() {}

    /** Whether the same call may go through a little later. */
    static boolean passes(Status.Code code) {
        return PASSING.contains(code);
    }

    /** As callers of the port know it. */
    static SandboxException of(String what, StatusRuntimeException e) {
        String message = message(what, e);
        return switch (e.getStatus().getCode()) {
            case RESOURCE_EXHAUSTED -> throttled(what, e);
            case UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED ->
                    new SandboxException(Kind.UNSUPPORTED, false, message, e);
            case DEADLINE_EXCEEDED, UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN ->
                    new SandboxException(Kind.UNREACHABLE, false, message, e);
            default -> new SandboxException(Kind.CREATE_FAILED, false, message, e);
        };
    }

    private static String message(String what, StatusRuntimeException e) {
        String text = e.getStatus().getDescription() == null ? "" : e.getStatus().getDescription();
        return shortened(what + ": " + e.getStatus().getCode() + " " + text);
    }

    /** Of a server that wants to be asked less often. */
    static SandboxException throttled(String what, StatusRuntimeException e) {
        long pause = Math.max(0, RetryHint.millis(e));
        SandboxException often = new SandboxException(message(what, e), pause);
        often.initCause(e);
        return often;
    }

    /** The server's own code behind a failure; OK where there is none. */
    static Status.Code code(SandboxException e) {
        return e.getCause() instanceof StatusRuntimeException cause
                ? cause.getStatus().getCode()
                : Status.Code.OK;
    }

    static SandboxException cancelled(Throwable cause) {
        return new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", cause);
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT) + "...";
    }
}
