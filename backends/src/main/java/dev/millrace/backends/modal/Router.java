package dev.millrace.backends.modal;

import com.google.common.util.concurrent.ListenableFuture;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.modal.wire.TaskCommandRouterGrpc;
import dev.millrace.backends.modal.wire.TaskExecStdioReadRequest;
import dev.millrace.backends.modal.wire.TaskExecStdioReadResponse;
import dev.millrace.backends.modal.wire.TaskGetCommandRouterAccessRequest;
import dev.millrace.backends.modal.wire.TaskGetCommandRouterAccessResponse;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.net.URI;

/** What runs the commands of one sandbox, over a connection of its own. Thread-safe. */
final class Router implements AutoCloseable {
    private static final long LEAST_LIFE_MILLIS = 30_000;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final ControlPlane control;
    private final String taskId;
    private final URI address;
    private final ManagedChannel channel;
    private final UnaryCalls calls;
    private final CallHeaders headers = new Bearer();
    private String token;
    private long tokenEnds;

    private Router(ControlPlane control, String taskId, TaskGetCommandRouterAccessResponse access)
            throws SandboxException {
        this.control = control;
        this.taskId = taskId;
        this.address = URI.create(access.getUrl());
        if (!"https".equals(address.getScheme()) && !control.settings().plaintext()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED, "a command router without encryption: " + address);
        }
        keep(access.getJwt());
        channel = Channels.open(address);
        calls = new UnaryCalls(channel, headers, RetryPolicy.router(control.settings().times()));
    }

    /** Asks the control plane where it is. */
    static Router open(ControlPlane control, String taskId) throws SandboxException {
        return new Router(control, taskId, access(control, taskId));
    }

    private static TaskGetCommandRouterAccessResponse access(ControlPlane control, String taskId)
            throws SandboxException {
        return control.call(
                "asking for a sandbox's command router",
                ModalClientGrpc.getTaskGetCommandRouterAccessMethod(),
                TaskGetCommandRouterAccessRequest.newBuilder().setTaskId(taskId).build());
    }

    private void keep(String fresh) {
        token = fresh;
        tokenEnds = JsonWebToken.expiryMillis(fresh, Long.MAX_VALUE);
    }

    String taskId() {
        return taskId;
    }

    <Q, A> A call(String what, MethodDescriptor<Q, A> method, Q request) throws SandboxException {
        return calls.call(what, method, request, control.settings().times().requestMillis());
    }

    <Q, A> ListenableFuture<A> begin(MethodDescriptor<Q, A> method, Q request, long timeoutMillis)
            throws SandboxException {
        return calls.begin(method, request, timeoutMillis);
    }

    /** Opens a stream of output; what comes is asked for by the listener. */
    ClientCall<TaskExecStdioReadRequest, TaskExecStdioReadResponse> read(
            TaskExecStdioReadRequest request,
            ClientCall.Listener<TaskExecStdioReadResponse> listener)
            throws SandboxException {
        Metadata own = headers.next();
        ClientCall<TaskExecStdioReadRequest, TaskExecStdioReadResponse> call =
                channel.newCall(
                        TaskCommandRouterGrpc.getTaskExecStdioReadMethod(), CallOptions.DEFAULT);
        call.start(listener, own);
        call.request(1);
        call.sendMessage(request);
        call.halfClose();
        return call;
    }

    /** The server did not accept the token. */
    void refused() {
        headers.refused();
    }

    boolean isClosed() {
        return channel.isShutdown();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private final class Bearer implements CallHeaders {
        @Override
        public Metadata next() throws SandboxException {
            synchronized (Router.this) {
                if (tokenEnds - System.currentTimeMillis() < LEAST_LIFE_MILLIS) {
                    keep(access(control, taskId).getJwt());
                }
                Metadata headers = new Metadata();
                headers.put(AUTHORIZATION, "Bearer " + token);
                return headers;
            }
        }

        @Override
        public void refused() {
            synchronized (Router.this) {
                tokenEnds = 0;
            }
        }
    }
}
