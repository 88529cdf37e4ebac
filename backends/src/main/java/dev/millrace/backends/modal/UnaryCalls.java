package dev.millrace.backends.modal;

import com.google.common.util.concurrent.ListenableFuture;
import dev.millrace.backends.port.SandboxException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;

/** Calls with one answer, over one connection. Thread-safe. */
final class UnaryCalls {
    private final ManagedChannel channel;
    private final CallHeaders headers;
    private final RetryPolicy policy;

    UnaryCalls(ManagedChannel channel, CallHeaders headers, RetryPolicy policy) {
        this.channel = channel;
        this.headers = headers;
        this.policy = policy;
    }

    /**
     * Makes the call, again where that may help.
     *
     * @param what is done, for messages
     * @param timeoutMillis of each attempt
     */
    <Q, A> A call(String what, MethodDescriptor<Q, A> method, Q request, long timeoutMillis)
            throws SandboxException {
        Attempts attempts = new Attempts(policy);
        while (true) {
            Metadata own = headers.next();
            attempts.mark(own);
            try {
                return ClientCalls.blockingUnaryCall(
                        over(channel, own), method, within(timeoutMillis), request);
            } catch (StatusRuntimeException e) {
                attempts.failed(what, e, headers, channel.isShutdown());
            }
        }
    }

    /** Makes the call once, without waiting for its answer. */
    <Q, A> ListenableFuture<A> begin(MethodDescriptor<Q, A> method, Q request, long timeoutMillis)
            throws SandboxException {
        return ClientCalls.futureUnaryCall(
                over(channel, headers.next()).newCall(method, within(timeoutMillis)), request);
    }

    static Channel over(Channel channel, Metadata headers) {
        return ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static CallOptions within(long millis) {
        return CallOptions.DEFAULT.withDeadlineAfter(millis, TimeUnit.MILLISECONDS);
    }
}
