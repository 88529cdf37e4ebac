package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.AppGetOrCreateRequest;
import dev.millrace.backends.modal.wire.AppGetOrCreateResponse;
import dev.millrace.backends.modal.wire.AuthTokenGetRequest;
import dev.millrace.backends.modal.wire.AuthTokenGetResponse;
import dev.millrace.backends.modal.wire.EnvironmentGetOrCreateRequest;
import dev.millrace.backends.modal.wire.EnvironmentGetOrCreateResponse;
import dev.millrace.backends.modal.wire.EnvironmentMetadata;
import dev.millrace.backends.modal.wire.EnvironmentSettings;
import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.modal.wire.ImageGetOrCreateRequest;
import dev.millrace.backends.modal.wire.ImageGetOrCreateResponse;
import dev.millrace.backends.modal.wire.ImageJoinStreamingRequest;
import dev.millrace.backends.modal.wire.ImageJoinStreamingResponse;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.modal.wire.SandboxCreateRequest;
import dev.millrace.backends.modal.wire.SandboxCreateResponse;
import dev.millrace.backends.modal.wire.SandboxGetFromNameRequest;
import dev.millrace.backends.modal.wire.SandboxGetFromNameResponse;
import dev.millrace.backends.modal.wire.SandboxGetTaskIdRequest;
import dev.millrace.backends.modal.wire.SandboxGetTaskIdResponse;
import dev.millrace.backends.modal.wire.SandboxListRequest;
import dev.millrace.backends.modal.wire.SandboxListResponse;
import dev.millrace.backends.modal.wire.SandboxTagsSetRequest;
import dev.millrace.backends.modal.wire.SandboxTagsSetResponse;
import dev.millrace.backends.modal.wire.SandboxTerminateRequest;
import dev.millrace.backends.modal.wire.SandboxTerminateResponse;
import dev.millrace.backends.modal.wire.SandboxWaitRequest;
import dev.millrace.backends.modal.wire.SandboxWaitResponse;
import dev.millrace.backends.modal.wire.TaskGetCommandRouterAccessRequest;
import dev.millrace.backends.modal.wire.TaskGetCommandRouterAccessResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** The stand-in's control plane. */
final class StandInControl extends ModalClientGrpc.ModalClientImplBase implements AutoCloseable {
    private final ServedTokens tokens = new ServedTokens();
    private final ServedImages images = new ServedImages();
    private final ServedSandboxes sandboxes = new ServedSandboxes();
    private final Supplier<String> address;

    /**
     * @param address of the command router
     */
    StandInControl(Supplier<String> address) {
        this.address = address;
    }

    ServedTokens tokens() {
        return tokens;
    }

    ServedImages images() {
        return images;
    }

    ServedSandboxes sandboxes() {
        return sandboxes;
    }

    private static <A> void answer(StreamObserver<A> to, A message) {
        to.onNext(message);
        to.onCompleted();
    }

    private static void refuse(StreamObserver<?> to, Status status) {
        to.onError(status.asRuntimeException());
    }

    @Override
    public void authTokenGet(AuthTokenGetRequest request, StreamObserver<AuthTokenGetResponse> to) {
        answer(to, AuthTokenGetResponse.newBuilder().setToken(tokens.issue()).build());
    }

    @Override
    public void appGetOrCreate(
            AppGetOrCreateRequest request, StreamObserver<AppGetOrCreateResponse> to) {
        answer(to, AppGetOrCreateResponse.newBuilder().setAppId("ap-1").build());
    }

    @Override
    public void environmentGetOrCreate(
            EnvironmentGetOrCreateRequest request,
            StreamObserver<EnvironmentGetOrCreateResponse> to) {
        EnvironmentSettings settings =
                EnvironmentSettings.newBuilder().setImageBuilderVersion("2025.06").build();
        EnvironmentMetadata metadata =
                EnvironmentMetadata.newBuilder().setSettings(settings).build();
        answer(to, EnvironmentGetOrCreateResponse.newBuilder().setMetadata(metadata).build());
    }

    @Override
    public void imageGetOrCreate(
            ImageGetOrCreateRequest request, StreamObserver<ImageGetOrCreateResponse> to) {
        answer(to, images.getOrCreate(request));
    }

    @Override
    public void imageJoinStreaming(
            ImageJoinStreamingRequest request, StreamObserver<ImageJoinStreamingResponse> to) {
        images.follow(request, to);
    }

    @Override
    public void sandboxCreate(
            SandboxCreateRequest request, StreamObserver<SandboxCreateResponse> to) {
        String id = sandboxes.create(request);
        if (id.isEmpty()) {
            refuse(to, Status.ALREADY_EXISTS.withDescription("name taken"));
        } else {
            answer(to, SandboxCreateResponse.newBuilder().setSandboxId(id).build());
        }
    }

    @Override
    public void sandboxGetFromName(
            SandboxGetFromNameRequest request, StreamObserver<SandboxGetFromNameResponse> to) {
        String id = sandboxes.named(request.getSandboxName());
        answer(to, SandboxGetFromNameResponse.newBuilder().setSandboxId(id).build());
    }

    @Override
    public void sandboxGetTaskId(
            SandboxGetTaskIdRequest request, StreamObserver<SandboxGetTaskIdResponse> to) {
        answer(to, sandboxes.task(request.getSandboxId()));
    }

    @Override
    public void sandboxWait(SandboxWaitRequest request, StreamObserver<SandboxWaitResponse> to) {
        GenericResult result = sandboxes.result(request.getSandboxId());
        answer(to, SandboxWaitResponse.newBuilder().setResult(result).build());
    }

    @Override
    public void sandboxTerminate(
            SandboxTerminateRequest request, StreamObserver<SandboxTerminateResponse> to) {
        sandboxes.end(request.getSandboxId(), GenericStatus.GENERIC_STATUS_TERMINATED);
        answer(to, SandboxTerminateResponse.getDefaultInstance());
    }

    @Override
    public void sandboxList(SandboxListRequest request, StreamObserver<SandboxListResponse> to) {
        answer(to, sandboxes.list(request));
    }

    @Override
    public void sandboxTagsSet(
            SandboxTagsSetRequest request, StreamObserver<SandboxTagsSetResponse> to) {
        sandboxes.tag(request.getSandboxId(), request.getTagsList());
        answer(to, SandboxTagsSetResponse.getDefaultInstance());
    }

    @Override
    public void taskGetCommandRouterAccess(
            TaskGetCommandRouterAccessRequest request,
            StreamObserver<TaskGetCommandRouterAccessResponse> to) {
        answer(
                to,
                TaskGetCommandRouterAccessResponse.newBuilder()
                        .setJwt(tokens.issue())
                        .setUrl(address.get())
                        .build());
    }

    @Override
    public void close() {
        sandboxes.endAll();
    }
}
