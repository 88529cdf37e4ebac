package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.modal.wire.Image;
import dev.millrace.backends.modal.wire.ImageGetOrCreateRequest;
import dev.millrace.backends.modal.wire.ImageGetOrCreateResponse;
import dev.millrace.backends.modal.wire.ImageJoinStreamingRequest;
import dev.millrace.backends.modal.wire.ImageJoinStreamingResponse;
import dev.millrace.backends.modal.wire.TaskLogs;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/** Images of the stand-in server, which are names only. */
final class ServedImages {
    private final List<Image> known = new ArrayList<>();
    private final List<String> joins = new ArrayList<>();
    private int streamsWithoutResult;
    private GenericStatus outcome = GenericStatus.GENERIC_STATUS_SUCCESS;

    /** Builds that many streams long, which then end so. */
    synchronized void building(int streams, GenericStatus status) {
        streamsWithoutResult = streams;
        outcome = status;
    }

    /** All that were asked for. */
    synchronized List<Image> known() {
        return List.copyOf(known);
    }

    /** Where each stream was to begin. */
    synchronized List<String> joins() {
        return List.copyOf(joins);
    }

    synchronized ImageGetOrCreateResponse getOrCreate(ImageGetOrCreateRequest request) {
        if (!request.getBuilderVersion().equals("2025.06")) {
            throw new IllegalArgumentException("builder version " + request.getBuilderVersion());
        }
        int at = known.indexOf(request.getImage());
        if (at < 0) {
            known.add(request.getImage());
            at = known.size() - 1;
        }
        ImageGetOrCreateResponse.Builder answer =
                ImageGetOrCreateResponse.newBuilder().setImageId("im-" + at);
        boolean absent = request.getImage().getDockerfileCommands(0).contains("no/such");
        if (absent) {
            answer.setResult(result(GenericStatus.GENERIC_STATUS_FAILURE));
        } else if (streamsWithoutResult == 0) {
            answer.setResult(result(outcome));
        }
        return answer.build();
    }

    private static GenericResult result(GenericStatus status) {
        GenericResult.Builder result = GenericResult.newBuilder().setStatus(status);
        if (status != GenericStatus.GENERIC_STATUS_SUCCESS) {
            result.setException("the build failed");
        }
        return result.build();
    }

    synchronized void follow(
            ImageJoinStreamingRequest request, StreamObserver<ImageJoinStreamingResponse> to) {
        joins.add(request.getLastEntryId());
        ImageJoinStreamingResponse.Builder message =
                ImageJoinStreamingResponse.newBuilder()
                        .setEntryId("entry-" + joins.size())
                        .addTaskLogs(TaskLogs.newBuilder().setData("line " + joins.size() + "\n"));
        if (joins.size() > streamsWithoutResult) {
            message.setResult(result(outcome)).setEof(true);
        }
        to.onNext(message.build());
        to.onCompleted();
    }
}
