package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.AppGetOrCreateRequest;
import dev.millrace.backends.modal.wire.AuthTokenGetRequest;
import dev.millrace.backends.modal.wire.EnvironmentGetOrCreateRequest;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.modal.wire.ObjectCreationType;
import dev.millrace.backends.port.SandboxException;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** The server that makes sandboxes and knows of them all. Thread-safe. */
final class ControlPlane implements AutoCloseable {
    private static final long TOKEN_MILLIS = 5_000;

    private final ModalSettings settings;
    private final ManagedChannel channel;
    private final ControlHeaders headers;
    private final UnaryCalls calls;
    private String appId;
    private String builderVersion;

    ControlPlane(ModalSettings settings, ModalCredentials credentials) {
        this(settings, credentials, InstantSource.system());
    }

    ControlPlane(ModalSettings settings, ModalCredentials credentials, InstantSource clock) {
        this.settings = settings;
        this.channel = Channels.open(settings.server());
        RetryPolicy policy = RetryPolicy.control(settings.times());
        UnaryCalls bare = new UnaryCalls(channel, new ControlHeaders(credentials, null), policy);
        AuthTokens tokens =
                new AuthTokens(
                        () -> fetch(bare), clock, () -> ThreadLocalRandom.current().nextDouble());
        this.headers = new ControlHeaders(credentials, tokens);
        this.calls = new UnaryCalls(channel, headers, policy);
    }

    private static String fetch(UnaryCalls bare) throws SandboxException {
        return bare.call(
                        "asking Modal for a token",
                        ModalClientGrpc.getAuthTokenGetMethod(),
                        AuthTokenGetRequest.getDefaultInstance(),
                        TOKEN_MILLIS)
                .getToken();
    }

    ModalSettings settings() {
        return settings;
    }

    <Q, A> A call(String what, MethodDescriptor<Q, A> method, Q request) throws SandboxException {
        return calls.call(what, method, request, settings.times().requestMillis());
    }

    /** For one call with many answers. */
    Channel streaming() throws SandboxException {
        return UnaryCalls.over(channel, headers.next());
    }

    CallHeaders headers() {
        return headers;
    }

    /** Of the app that all sandboxes here belong to. */
    synchronized String appId() throws SandboxException {
        if (appId == null) {
            AppGetOrCreateRequest request =
                    AppGetOrCreateRequest.newBuilder()
                            .setAppName(settings.app())
                            .setEnvironmentName(settings.environment())
                            .setObjectCreationType(
                                    ObjectCreationType.OBJECT_CREATION_TYPE_CREATE_IF_MISSING)
                            .build();
            appId =
                    call(
                                    "looking for the app " + settings.app(),
                                    ModalClientGrpc.getAppGetOrCreateMethod(),
                                    request)
                            .getAppId();
        }
        return appId;
    }

    /** What images are built by: the settings', or the environment's. */
    synchronized String builderVersion() throws SandboxException {
        if (builderVersion == null) {
            builderVersion = settings.builderVersion();
        }
        if (builderVersion.isEmpty()) {
            EnvironmentGetOrCreateRequest request =
                    EnvironmentGetOrCreateRequest.newBuilder()
                            .setDeploymentName(settings.environment())
                            .build();
            builderVersion =
                    call(
                                    "looking at the environment '" + settings.environment() + "'",
                                    ModalClientGrpc.getEnvironmentGetOrCreateMethod(),
                                    request)
                            .getMetadata()
                            .getSettings()
                            .getImageBuilderVersion();
        }
        return builderVersion;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
