package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.ImageJoinStreamingRequest;
import dev.millrace.backends.modal.wire.ImageJoinStreamingResponse;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.modal.wire.TaskLogs;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Follows the build of an image, over as many streams as it takes. */
final class ImageJoin {
    private static final float STREAM_SECONDS = 55;
    private static final long STREAM_MILLIS = 65_000;
    private static final int MOST_LOG_BYTES = 2_000;

    private final ControlPlane control;

    ImageJoin(ControlPlane control) {
        this.control = control;
    }

    /**
     * How a build ended.
     *
     * @param log what it wrote, as far as it was kept
     */
    record Ended(GenericResult result, String log) {}

    /** Waits for the end. A stream that ends without one is followed by the next. */
    Ended await(String what, String imageId, long untilNanos) throws SandboxException {
        KeptOutput log = KeptOutput.ends(MOST_LOG_BYTES);
        RetryPolicy policy = RetryPolicy.control(control.settings().times());
        Attempts attempts = new Attempts(policy);
        ImageJoinStreamingRequest.Builder request =
                ImageJoinStreamingRequest.newBuilder()
                        .setImageId(imageId)
                        .setTimeout(STREAM_SECONDS)
                        .setIncludeLogsForFinished(true);
        while (System.nanoTime() < untilNanos) {
            try {
                GenericResult result = follow(request, log);
                attempts = new Attempts(policy);
                if (ModalSandboxes.hasEnded(result)) {
                    return new Ended(result, new String(log.bytes(), StandardCharsets.UTF_8));
                }
                Pause.millis(control.settings().times().retryMillis());
            } catch (StatusRuntimeException e) {
                attempts.failed(what, e, control.headers(), false);
            }
        }
        throw new SandboxException(
                Kind.IMAGE,
                what + ": not there in " + control.settings().times().imageMillis() + " ms");
    }

    private GenericResult follow(ImageJoinStreamingRequest.Builder request, KeptOutput log)
            throws SandboxException {
        Context.CancellableContext stream = Context.current().withCancellation();
        Context before = stream.attach();
        try {
            return read(request, log);
        } finally {
            stream.detach(before);
            // The server may leave it open behind the result.
            stream.cancel(null);
        }
    }

    private GenericResult read(ImageJoinStreamingRequest.Builder request, KeptOutput log)
            throws SandboxException {
        Iterator<ImageJoinStreamingResponse> stream =
                ClientCalls.blockingServerStreamingCall(
                        control.streaming(),
                        ModalClientGrpc.getImageJoinStreamingMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(STREAM_MILLIS, TimeUnit.MILLISECONDS),
                        request.build());
        while (stream.hasNext()) {
            ImageJoinStreamingResponse message = stream.next();
            if (!message.getEntryId().isEmpty()) {
                request.setLastEntryId(message.getEntryId());
            }
            for (TaskLogs line : message.getTaskLogsList()) {
                log.accept(line.getData().getBytes(StandardCharsets.UTF_8));
            }
            if (ModalSandboxes.hasEnded(message.getResult())) {
                return message.getResult();
            }
        }
        return GenericResult.getDefaultInstance();
    }
}
