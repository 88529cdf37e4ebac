package dev.millrace.backends.modal;

import com.google.protobuf.Any;
import dev.millrace.backends.modal.wire.RPCRetryPolicy;
import dev.millrace.backends.modal.wire.StatusDetails;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;

/** What goes wrong with the calls of a server, and what came with each of them. */
final class Faults implements ServerInterceptor {

    /** One call that came, whether it was answered or not. */
    record Seen(String method, Metadata headers) {}

    private record Fault(Status status, Metadata trailers, boolean afterwards) {}

    private final Map<String, Queue<Fault>> next = new ConcurrentHashMap<>();
    private final List<Seen> seen = new ArrayList<>();

    /** The next calls of a method fail before they do anything. */
    void fail(String method, Status status, int times) {
        add(method, new Fault(status, new Metadata(), false), times);
    }

    /** The next calls do what they should, and their answers get lost. */
    void loseAnswers(String method, int times) {
        add(method, new Fault(Status.UNAVAILABLE, new Metadata(), true), times);
    }

    /** The next calls are refused, with a word about when to come again. */
    void throttle(String method, float seconds, int times) {
        RPCRetryPolicy policy = RPCRetryPolicy.newBuilder().setRetryAfterSecs(seconds).build();
        StatusDetails details = StatusDetails.newBuilder().addDetails(Any.pack(policy)).build();
        Metadata trailers = new Metadata();
        trailers.put(RetryHint.DETAILS, details.toByteArray());
        add(method, new Fault(Status.RESOURCE_EXHAUSTED, trailers, false), times);
    }

    private void add(String method, Fault fault, int times) {
        Queue<Fault> queue = next.computeIfAbsent(method, name -> new ArrayDeque<>());
        synchronized (queue) {
            for (int i = 0; i < times; i++) {
                queue.add(fault);
            }
        }
    }

    /** All calls of a method until now. */
    List<Metadata> headers(String method) {
        synchronized (seen) {
            return seen.stream()
                    .filter(one -> one.method().equals(method))
                    .map(Seen::headers)
                    .toList();
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> handler) {
        String method = call.getMethodDescriptor().getBareMethodName();
        synchronized (seen) {
            seen.add(new Seen(method, headers));
        }
        Fault fault = take(method);
        if (fault == null) {
            return handler.startCall(call, headers);
        }
        if (fault.afterwards()) {
            return handler.startCall(new Lost<>(call, fault.status()), headers);
        }
        call.close(fault.status(), fault.trailers());
        return new ServerCall.Listener<>() {};
    }

    private Fault take(String method) {
        Queue<Fault> queue = next.get(method);
        if (queue == null) {
            return null;
        }
        synchronized (queue) {
            return queue.poll();
        }
    }

    private static final class Lost<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Status status;

        Lost(ServerCall<Q, A> call, Status status) {
            super(call);
            this.status = status;
        }

        @Override
        public void sendMessage(A message) {
            // It never arrives.
        }

        @Override
        public void sendHeaders(Metadata headers) {
            // Nor does anything before it.
        }

        @Override
        public void close(Status real, Metadata trailers) {
            super.close(real.isOk() ? status : real, trailers);
        }
    }
}
