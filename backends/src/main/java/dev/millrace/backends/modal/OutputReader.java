package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.TaskExecStdioFileDescriptor;
import dev.millrace.backends.modal.wire.TaskExecStdioReadRequest;
import dev.millrace.backends.modal.wire.TaskExecStdioReadResponse;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.sandbox.Watchdog;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;

/**
 * Reads one stream of a command. When the connection breaks it goes on behind the last byte that
 * came. Keeps no more than it was told to; a message is asked for when the last one is taken.
 */
final class OutputReader implements AutoCloseable {
    private final Router router;
    private final TaskExecStdioReadRequest from;
    private final RetryPolicy policy;
    private final Watchdog timer;
    private final KeptOutput kept;
    private long total;
    private ClientCall<TaskExecStdioReadRequest, TaskExecStdioReadResponse> call;
    private int failures;
    private boolean refused;
    private boolean ended;
    private SandboxException failure;

    OutputReader(
            Router router,
            String execId,
            TaskExecStdioFileDescriptor which,
            RetryPolicy policy,
            Watchdog timer,
            KeptOutput kept) {
        this.router = router;
        this.policy = policy;
        this.timer = timer;
        this.kept = kept;
        this.from =
                TaskExecStdioReadRequest.newBuilder()
                        .setTaskId(router.taskId())
                        .setExecId(execId)
                        .setFileDescriptor(which)
                        .build();
    }

    /** Begins, or begins again. */
    synchronized void open() {
        if (ended) {
            return;
        }
        try {
            TaskExecStdioReadRequest here = from.toBuilder().setOffset(total).build();
            call = router.read(here, new Listener());
        } catch (SandboxException e) {
            end(e);
        }
    }

    private synchronized void received(byte[] bytes) {
        kept.accept(bytes);
        total += bytes.length;
        failures = 0;
        refused = false;
    }

    private synchronized void closed(Status status) {
        if (ended || status.isOk()) {
            end(null);
        } else if (status.getCode() == Status.Code.UNAUTHENTICATED && !refused) {
            refused = true;
            router.refused();
            again(0);
        } else if (!router.isClosed()
                && ModalFailure.passes(status.getCode())
                && failures < policy.retries()) {
            again(policy.pauseMillis(failures));
            failures++;
        } else {
            end(ModalFailure.of("reading output", status.asRuntimeException()));
        }
    }

    private void again(long millis) {
        // It asks for a token, which must not happen in a thread of the connection.
        timer.arm(millis, this::open);
    }

    private void end(SandboxException why) {
        if (!ended) {
            ended = true;
            failure = why;
        }
        notifyAll();
    }

    /** Waits for the end of the stream, and says whether it has come. */
    synchronized boolean awaitEnd(long millis) throws SandboxException {
        long until = System.nanoTime() + millis * 1_000_000;
        try {
            while (!ended && System.nanoTime() < until) {
                TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        }
        requireReadable();
        return ended;
    }

    /** Says when the stream can't be read any more. */
    synchronized void requireReadable() throws SandboxException {
        if (failure != null) {
            throw failure;
        }
    }

    synchronized long total() {
        return total;
    }

    synchronized byte[] kept() {
        return kept.bytes();
    }

    @Override
    public void close() {
        ClientCall<TaskExecStdioReadRequest, TaskExecStdioReadResponse> open;
        synchronized (this) {
            ended = true;
            open = call;
            notifyAll();
        }
        if (open != null) {
            open.cancel("not needed any more", null);
        }
    }

    private final class Listener extends ClientCall.Listener<TaskExecStdioReadResponse> {
        @Override
        public void onMessage(TaskExecStdioReadResponse message) {
            received(message.getData().toByteArray());
            ClientCall<TaskExecStdioReadRequest, TaskExecStdioReadResponse> open;
            synchronized (OutputReader.this) {
                open = call;
            }
            open.request(1);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            closed(status);
        }
    }
}
