package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.BaseImage;
import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.modal.wire.Image;
import dev.millrace.backends.modal.wire.ImageGetOrCreateRequest;
import dev.millrace.backends.modal.wire.ImageGetOrCreateResponse;
import dev.millrace.backends.modal.wire.ModalClientGrpc;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Images by their tag, with the settings' layers on top; each is built by one caller at a time. */
final class Images {
    /** Name by which a layer knows the one below. */
    private static final String BASE = "base";

    private final ControlPlane control;
    private final ImageJoin join;
    private final Map<String, String> built = new ConcurrentHashMap<>();
    private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();

    Images(ControlPlane control) {
        this.control = control;
        this.join = new ImageJoin(control);
    }

    /**
     * The id of an image that is there.
     *
     * @throws SandboxException of kind IMAGE when it is not to be had
     */
    String require(String tag) throws SandboxException {
        String id = built.get(tag);
        if (id != null) {
            return id;
        }
        ReentrantLock turn = turns.computeIfAbsent(tag, name -> new ReentrantLock());
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        }
        try {
            id = built.get(tag);
            if (id == null) {
                id = build(tag);
                built.put(tag, id);
            }
            return id;
        } finally {
            turn.unlock();
        }
    }

    private String build(String tag) throws SandboxException {
        long until = System.nanoTime() + control.settings().times().imageMillis() * 1_000_000;
        Image first = Image.newBuilder().addDockerfileCommands("FROM " + tag).build();
        String id = layer(tag, first, until);
        for (String line : control.settings().layers()) {
            Image next =
                    Image.newBuilder()
                            .addBaseImages(BaseImage.newBuilder().setDockerTag(BASE).setImageId(id))
                            .addAllDockerfileCommands(List.of("FROM " + BASE, line))
                            .build();
            id = layer(tag, next, until);
        }
        return id;
    }

    private String layer(String tag, Image image, long untilNanos) throws SandboxException {
        String line = image.getDockerfileCommands(image.getDockerfileCommandsCount() - 1);
        String what = "building image " + tag + ", line '" + line + "'";
        ImageGetOrCreateRequest request =
                ImageGetOrCreateRequest.newBuilder()
                        .setImage(image)
                        .setAppId(control.appId())
                        .setBuilderVersion(control.builderVersion())
                        .build();
        ImageGetOrCreateResponse answer =
                control.call(what, ModalClientGrpc.getImageGetOrCreateMethod(), request);
        GenericResult result = answer.getResult();
        String log = "";
        if (!ModalSandboxes.hasEnded(result)) {
            ImageJoin.Ended ended = join.await(what, answer.getImageId(), untilNanos);
            result = ended.result();
            log = ended.log();
        }
        if (result.getStatus() != GenericStatus.GENERIC_STATUS_SUCCESS) {
            boolean again = result.getStatus() == GenericStatus.GENERIC_STATUS_TERMINATED;
            throw new SandboxException(
                    again ? Kind.UNREACHABLE : Kind.IMAGE,
                    (what + ": " + ModalSandboxes.text(result) + "\n" + log).strip());
        }
        return answer.getImageId();
    }
}
