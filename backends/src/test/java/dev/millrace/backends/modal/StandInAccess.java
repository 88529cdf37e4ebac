package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.ModalClientGrpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Lets nobody in without what the real servers ask for. */
final class StandInAccess implements ServerInterceptor {
    private final StandInControl control;

    StandInAccess(StandInControl control) {
        this.control = control;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> handler) {
        Status refusal =
                call.getMethodDescriptor().getServiceName().equals(ModalClientGrpc.SERVICE_NAME)
                        ? client(call, headers)
                        : bearer(headers);
        if (refusal.isOk()) {
            return handler.startCall(call, headers);
        }
        call.close(refusal, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static String header(Metadata headers, String name) {
        String value = headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        return value == null ? "" : value;
    }

    private Status client(ServerCall<?, ?> call, Metadata headers) {
        boolean known =
                header(headers, "x-modal-token-id")
                                .equals(StandInServer.TOKEN.get("MODAL_TOKEN_ID"))
                        && header(headers, "x-modal-token-secret")
                                .equals(StandInServer.TOKEN.get("MODAL_TOKEN_SECRET"));
        boolean said =
                header(headers, "x-modal-client-type").matches("[0-9]+")
                        && header(headers, "x-modal-client-version").matches("[0-9.]+")
                        && header(headers, "x-modal-libmodal-version").matches("[^/]+/.+");
        boolean exempt =
                call.getMethodDescriptor().getBareMethodName().equals("AuthTokenGet")
                        || call.getMethodDescriptor().getType() != MethodType.UNARY;
        if (!known) {
            return Status.UNAUTHENTICATED.withDescription("token id or secret");
        }
        if (!said) {
            return Status.INVALID_ARGUMENT.withDescription("client headers");
        }
        return exempt || control.tokens().accepts(header(headers, "x-modal-auth-token"))
                ? Status.OK
                : Status.UNAUTHENTICATED.withDescription("auth token");
    }

    private Status bearer(Metadata headers) {
        return control.tokens().accepts(header(headers, "authorization").replace("Bearer ", ""))
                ? Status.OK
                : Status.UNAUTHENTICATED.withDescription("bearer");
    }
}
