package dev.millrace.backends.modal;

import com.google.protobuf.ByteString;
import dev.millrace.backends.modal.wire.TaskCommandRouterGrpc;
import dev.millrace.backends.modal.wire.TaskExecStartRequest;
import dev.millrace.backends.modal.wire.TaskExecStartResponse;
import dev.millrace.backends.modal.wire.TaskExecStdinWriteRequest;
import dev.millrace.backends.modal.wire.TaskExecStdinWriteResponse;
import dev.millrace.backends.modal.wire.TaskExecStdioReadRequest;
import dev.millrace.backends.modal.wire.TaskExecStdioReadResponse;
import dev.millrace.backends.modal.wire.TaskExecWaitRequest;
import dev.millrace.backends.modal.wire.TaskExecWaitResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The stand-in's command router. */
final class StandInRouter extends TaskCommandRouterGrpc.TaskCommandRouterImplBase {
    private static final int LONGEST_WORDS = 65_536;
    private static final int SIGNALLED = 128;
    private static final int SIGNALS = 64;

    private final StandInControl control;
    private final AtomicInteger breaks = new AtomicInteger();

    StandInRouter(StandInControl control) {
        this.control = control;
    }

    /** That many streams of output break behind their first piece. */
    void breakStreams(int times) {
        breaks.set(times);
    }

    private ServedCommand command(String taskId, String execId) {
        ServedContainer container = control.sandboxes().container(taskId);
        return container == null ? null : container.command(execId);
    }

    private static void absent(StreamObserver<?> to) {
        to.onError(Status.NOT_FOUND.withDescription("no such task or command").asException());
    }

    @Override
    public void taskExecStart(
            TaskExecStartRequest request, StreamObserver<TaskExecStartResponse> to) {
        int bytes =
                request.getCommandArgsList().stream()
                        .mapToInt(word -> ByteString.copyFromUtf8(word).size())
                        .sum();
        ServedContainer container = control.sandboxes().container(request.getTaskId());
        if (container == null) {
            absent(to);
        } else if (bytes > LONGEST_WORDS) {
            to.onError(Status.INVALID_ARGUMENT.withDescription("too long").asException());
        } else {
            try {
                container.start(
                        request.getExecId(), request.getCommandArgsList(), request.getEnvMap());
                to.onNext(TaskExecStartResponse.getDefaultInstance());
                to.onCompleted();
            } catch (IOException e) {
                to.onError(Status.INTERNAL.withCause(e).asException());
            }
        }
    }

    @Override
    public void taskExecStdinWrite(
            TaskExecStdinWriteRequest request, StreamObserver<TaskExecStdinWriteResponse> to) {
        ServedCommand command = command(request.getTaskId(), request.getExecId());
        if (command == null) {
            absent(to);
            return;
        }
        try {
            command.write(request.getOffset(), request.getData().toByteArray(), request.getEof());
            to.onNext(TaskExecStdinWriteResponse.getDefaultInstance());
            to.onCompleted();
        } catch (IOException exitedEarly) {
            to.onError(Status.FAILED_PRECONDITION.withCause(exitedEarly).asException());
        }
    }

    @Override
    public void taskExecStdioRead(
            TaskExecStdioReadRequest request, StreamObserver<TaskExecStdioReadResponse> to) {
        ServedCommand command = command(request.getTaskId(), request.getExecId());
        if (command == null) {
            absent(to);
            return;
        }
        ServerCallStreamObserver<TaskExecStdioReadResponse> stream =
                (ServerCallStreamObserver<TaskExecStdioReadResponse>) to;
        // Without a handler a write to a reader that is gone throws.
        stream.setOnCancelHandler(() -> {});
        Spool spool = command.stream(request.getFileDescriptorValue());
        AtomicLong offset = new AtomicLong(request.getOffset());
        Thread thread = new Thread(() -> copy(spool, offset, stream), "stand-in-stream");
        thread.setDaemon(true);
        thread.start();
    }

    private void copy(
            Spool spool,
            AtomicLong offset,
            ServerCallStreamObserver<TaskExecStdioReadResponse> stream) {
        while (!stream.isCancelled()) {
            if (!stream.isReady()) {
                LockSupport.parkNanos(1_000_000);
                continue;
            }
            byte[] piece = spool.read(offset.get());
            if (piece == null) {
                stream.onCompleted();
                return;
            }
            if (piece.length > 0) {
                offset.addAndGet(piece.length);
                stream.onNext(
                        TaskExecStdioReadResponse.newBuilder()
                                .setData(ByteString.copyFrom(piece))
                                .build());
                if (breaks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    stream.onError(Status.UNAVAILABLE.asException());
                    return;
                }
            }
        }
    }

    @Override
    public void taskExecWait(TaskExecWaitRequest request, StreamObserver<TaskExecWaitResponse> to) {
        ServedCommand command = command(request.getTaskId(), request.getExecId());
        if (command == null) {
            absent(to);
            return;
        }
        ((ServerCallStreamObserver<TaskExecWaitResponse>) to).setOnCancelHandler(() -> {});
        CompletableFuture<Void> unused =
                command.exit().thenAccept(code -> ended(request, code, to));
    }

    private void ended(
            TaskExecWaitRequest request, int code, StreamObserver<TaskExecWaitResponse> to) {
        if (control.sandboxes().container(request.getTaskId()) == null) {
            absent(to);
            return;
        }
        TaskExecWaitResponse.Builder answer = TaskExecWaitResponse.newBuilder();
        boolean signal = code > SIGNALLED && code <= SIGNALLED + SIGNALS;
        to.onNext((signal ? answer.setSignal(code - SIGNALLED) : answer.setCode(code)).build());
        to.onCompleted();
    }
}
