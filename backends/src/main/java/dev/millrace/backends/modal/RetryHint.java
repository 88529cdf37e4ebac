package dev.millrace.backends.modal;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.backends.modal.wire.RPCRetryPolicy;
import dev.millrace.backends.modal.wire.StatusDetails;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pause that a server asks for in the details of a refusal. */
final class RetryHint {
    /** Holds the details, in the trailers of an answer. */
    static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private static final Logger LOG = LoggerFactory.getLogger(RetryHint.class);
    private static final long LEAST_MILLIS = 100;
    private static final float MOST_SECONDS = 600;

    private RetryHint() {}

    /** How long to wait, or -1 when nothing was said. */
    static long millis(StatusRuntimeException e) {
        Metadata trailers = e.getTrailers();
        byte[] details = trailers == null ? null : trailers.get(DETAILS);
        if (details == null) {
            return -1;
        }
        try {
            for (Any detail : StatusDetails.parseFrom(details).getDetailsList()) {
                if (detail.is(RPCRetryPolicy.class)) {
                    return clamped(detail.unpack(RPCRetryPolicy.class).getRetryAfterSecs());
                }
            }
        } catch (InvalidProtocolBufferException unreadable) {
            LOG.debug("the details of a refusal can't be read", unreadable);
        }
        return -1;
    }

    private static long clamped(float seconds) {
        float sane = Float.isNaN(seconds) ? 0 : Math.min(seconds, MOST_SECONDS);
        return Math.max(LEAST_MILLIS, (long) (sane * 1000));
    }
}
