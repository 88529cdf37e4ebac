package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.modal.wire.SandboxCreateRequest;
import dev.millrace.backends.modal.wire.SandboxGetFromNameRequest;
import dev.millrace.backends.modal.wire.SandboxGetTaskIdRequest;
import dev.millrace.backends.modal.wire.SandboxGetTaskIdResponse;
import dev.millrace.backends.modal.wire.SandboxInfo;
import dev.millrace.backends.modal.wire.SandboxListRequest;
import dev.millrace.backends.modal.wire.SandboxTagsSetRequest;
import dev.millrace.backends.modal.wire.SandboxTerminateRequest;
import dev.millrace.backends.modal.wire.SandboxWaitRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.sandbox.LabelledSandboxes;
import dev.millrace.backends.sandbox.Uninterrupted;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sandboxes by their ids. What makes or ends one is carried to its end even when the caller is
 * cancelled: the server would do so anyway, and nobody would know.
 */
final class ModalSandboxes implements LabelledSandboxes {
    private static final float NO_WAIT = 0;
    private static final float END_SECONDS = 10;

    private final ControlPlane control;

    ModalSandboxes(ControlPlane control) {
        this.control = control;
    }

    /** Makes one, or finds the one that an earlier try of the same request has made. */
    String create(SandboxCreateRequest request) throws SandboxException {
        return Uninterrupted.call("modal-create", () -> created(request));
    }

    private String created(SandboxCreateRequest request) throws SandboxException {
        try {
            return control.call(
                            "creating a sandbox", ModalClientGrpc.getSandboxCreateMethod(), request)
                    .getSandboxId();
        } catch (SandboxException e) {
            if (ModalFailure.code(e) != Status.Code.ALREADY_EXISTS) {
                throw e;
            }
            return named(request.getDefinition().getName());
        }
    }

    private String named(String name) throws SandboxException {
        SandboxGetFromNameRequest request =
                SandboxGetFromNameRequest.newBuilder()
                        .setSandboxName(name)
                        .setEnvironmentName(control.settings().environment())
                        .setAppName(control.settings().app())
                        .build();
        return control.call(
                        "looking for sandbox " + name,
                        ModalClientGrpc.getSandboxGetFromNameMethod(),
                        request)
                .getSandboxId();
    }

    /**
     * Waits until it runs.
     *
     * @return the id of its task
     * @throws SandboxException of kind CREATE_FAILED when it has ended before
     */
    String taskId(String id) throws SandboxException {
        ModalTimes times = control.settings().times();
        long until = System.nanoTime() + times.startMillis() * 1_000_000;
        SandboxGetTaskIdRequest request =
                SandboxGetTaskIdRequest.newBuilder().setSandboxId(id).setTimeout(NO_WAIT).build();
        while (true) {
            SandboxGetTaskIdResponse answer =
                    control.call(
                            "waiting for a sandbox to start",
                            ModalClientGrpc.getSandboxGetTaskIdMethod(),
                            request);
            if (answer.hasTaskResult() && hasEnded(answer.getTaskResult())) {
                throw new SandboxException(
                        Kind.CREATE_FAILED,
                        "a sandbox ended before it ran: " + text(answer.getTaskResult()));
            }
            if (!answer.getTaskId().isEmpty()) {
                return answer.getTaskId();
            }
            if (System.nanoTime() > until) {
                throw new SandboxException(
                        Kind.UNREACHABLE,
                        "a sandbox did not start in " + times.startMillis() + " ms");
            }
            Pause.millis(times.pollMillis());
        }
    }

    static boolean hasEnded(GenericResult result) {
        return result.getStatus() != GenericResult.GenericStatus.GENERIC_STATUS_UNSPECIFIED;
    }

    static String text(GenericResult result) {
        String status = result.getStatus().name().replace("GENERIC_STATUS_", "");
        return (status + " " + result.getException()).strip();
    }

    /** How it ended; no status while it lives. One that nobody knows has been terminated. */
    GenericResult result(String id) throws SandboxException {
        return result(id, NO_WAIT);
    }

    private GenericResult result(String id, float seconds) throws SandboxException {
        try {
            return control.call(
                            "looking at a sandbox",
                            ModalClientGrpc.getSandboxWaitMethod(),
                            SandboxWaitRequest.newBuilder()
                                    .setSandboxId(id)
                                    .setTimeout(seconds)
                                    .build())
                    .getResult();
        } catch (SandboxException e) {
            if (ModalFailure.code(e) == Status.Code.NOT_FOUND) {
                return GenericResult.newBuilder()
                        .setStatus(GenericResult.GenericStatus.GENERIC_STATUS_TERMINATED)
                        .build();
            }
            throw e;
        }
    }

    /** Ends everything inside, without waiting for it. */
    void terminate(String id) throws SandboxException {
        Uninterrupted.call("modal-terminate", () -> terminated(id));
    }

    private Void terminated(String id) throws SandboxException {
        try {
            control.call(
                    "ending a sandbox",
                    ModalClientGrpc.getSandboxTerminateMethod(),
                    SandboxTerminateRequest.newBuilder().setSandboxId(id).build());
        } catch (SandboxException e) {
            if (ModalFailure.code(e) != Status.Code.NOT_FOUND) {
                throw e;
            }
        }
        return null;
    }

    @Override
    public void remove(String id) throws SandboxException {
        Uninterrupted.call(
                "modal-terminate",
                () -> {
                    terminated(id);
                    if (!hasEnded(result(id, END_SECONDS))) {
                        throw new SandboxException(
                                Kind.UNREACHABLE, "sandbox " + id + " does not end");
                    }
                    return null;
                });
    }

    /** Says to whom it belongs from now on. */
    void tag(String id, Lease lease, String process) throws SandboxException {
        control.call(
                "tagging a sandbox",
                ModalClientGrpc.getSandboxTagsSetMethod(),
                SandboxTagsSetRequest.newBuilder()
                        .setEnvironmentName(control.settings().environment())
                        .setSandboxId(id)
                        .addAllTags(Tags.of(lease, process))
                        .build());
    }

    /** Those of the app that live. */
    @Override
    public List<Found> labelled(String label, String value) throws SandboxException {
        SandboxListRequest.Builder request =
                SandboxListRequest.newBuilder()
                        .setAppId(control.appId())
                        .setEnvironmentName(control.settings().environment());
        if (!value.isEmpty()) {
            request.addTags(Tags.tag(label, value));
        }
        List<Found> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        while (true) {
            List<SandboxInfo> page = page(request.build());
            page.stream().filter(one -> seen.add(one.getId())).forEach(one -> add(one, found));
            double oldest = page.stream().mapToDouble(SandboxInfo::getCreatedAt).min().orElse(0);
            if (page.isEmpty() || oldest == request.getBeforeTimestamp()) {
                found.removeIf(one -> !one.labels().containsKey(label));
                return found;
            }
            request.setBeforeTimestamp(oldest);
        }
    }

    private List<SandboxInfo> page(SandboxListRequest request) throws SandboxException {
        return Uninterrupted.call(
                "modal-list",
                () ->
                        control.call(
                                        "listing sandboxes",
                                        ModalClientGrpc.getSandboxListMethod(),
                                        request)
                                .getSandboxesList());
    }

    private static void add(SandboxInfo one, List<Found> into) {
        Map<String, String> labels = Tags.labels(one.getTagsList());
        into.add(new Found(one.getId(), labels));
    }
}
