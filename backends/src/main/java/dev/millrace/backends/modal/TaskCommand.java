package dev.millrace.backends.modal;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.millrace.backends.modal.wire.TaskCommandRouterGrpc;
import dev.millrace.backends.modal.wire.TaskExecStartRequest;
import dev.millrace.backends.modal.wire.TaskExecStderrConfig;
import dev.millrace.backends.modal.wire.TaskExecStdinWriteRequest;
import dev.millrace.backends.modal.wire.TaskExecStdioFileDescriptor;
import dev.millrace.backends.modal.wire.TaskExecStdoutConfig;
import dev.millrace.backends.modal.wire.TaskExecWaitRequest;
import dev.millrace.backends.modal.wire.TaskExecWaitResponse;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.sandbox.Watchdog;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One command in a sandbox, from its start to its exit code. Its id is chosen here, so that a start
 * whose answer got lost starts nothing twice. Not thread-safe.
 */
final class TaskCommand implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 20;
    private static final int MOST_REPORT_BYTES = 1_024;
    private static final long WAIT_MILLIS = 60_000;
    private static final long WAIT_PAUSE_MILLIS = 1_000;
    private static final int SIGNALLED = 128;

    private final Router router;
    private final String id = UUID.randomUUID().toString();
    private final OutputReader output;
    private final OutputReader report;
    private ListenableFuture<TaskExecWaitResponse> waiting;
    private boolean refused;
    private long notBefore = System.nanoTime();

    TaskCommand(Router router, RetryPolicy policy, Watchdog timer, KeptOutput kept) {
        this.router = router;
        this.output =
                new OutputReader(
                        router,
                        id,
                        TaskExecStdioFileDescriptor.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDOUT,
                        policy,
                        timer,
                        kept);
        this.report =
                new OutputReader(
                        router,
                        id,
                        TaskExecStdioFileDescriptor.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDERR,
                        policy,
                        timer,
                        KeptOutput.ends(MOST_REPORT_BYTES));
    }

    /**
     * Starts it and begins to read what it writes.
     *
     * @param seconds after which the server ends it, should nobody here be left to do so
     */
    void start(List<String> words, Map<String, String> environment, long seconds)
            throws SandboxException {
        TaskExecStartRequest request =
                TaskExecStartRequest.newBuilder()
                        .setTaskId(router.taskId())
                        .setExecId(id)
                        .addAllCommandArgs(words)
                        .setStdoutConfig(TaskExecStdoutConfig.TASK_EXEC_STDOUT_CONFIG_PIPE)
                        .setStderrConfig(TaskExecStderrConfig.TASK_EXEC_STDERR_CONFIG_PIPE)
                        .setTimeoutSecs((int) Math.min(Integer.MAX_VALUE, seconds))
                        .putAllEnv(environment)
                        .build();
        router.call("starting a command", TaskCommandRouterGrpc.getTaskExecStartMethod(), request);
        output.open();
        report.open();
    }

    /** Gives it its whole standard input; what it doesn't want is no failure. */
    void write(byte[] input) throws SandboxException {
        int offset = 0;
        do {
            int length = Math.min(PIECE_BYTES, input.length - offset);
            TaskExecStdinWriteRequest request =
                    TaskExecStdinWriteRequest.newBuilder()
                            .setTaskId(router.taskId())
                            .setExecId(id)
                            .setOffset(offset)
                            .setData(ByteString.copyFrom(input, offset, length))
                            .setEof(offset + length == input.length)
                            .build();
            try {
                router.call(
                        "writing to a command",
                        TaskCommandRouterGrpc.getTaskExecStdinWriteMethod(),
                        request);
            } catch (SandboxException e) {
                Status.Code code = ModalFailure.code(e);
                if (code == Status.Code.FAILED_PRECONDITION || code == Status.Code.ABORTED) {
                    return;
                }
                throw e;
            }
            offset += length;
        } while (offset < input.length);
    }

    /**
     * Waits for its end, however often the server fails to say it.
     *
     * @return its exit code, 128 + n when signal n ended it; empty when it still runs
     */
    OptionalInt awaitExit(long millis) throws SandboxException {
        long now = System.nanoTime();
        if (now < notBefore) {
            Pause.millis(Math.min(millis, (notBefore - now) / 1_000_000 + 1));
            return OptionalInt.empty();
        }
        try {
            if (waiting == null) {
                waiting =
                        router.begin(
                                TaskCommandRouterGrpc.getTaskExecWaitMethod(),
                                TaskExecWaitRequest.newBuilder()
                                        .setTaskId(router.taskId())
                                        .setExecId(id)
                                        .build(),
                                WAIT_MILLIS);
            }
            TaskExecWaitResponse end = waiting.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
            return OptionalInt.of(end.hasSignal() ? SIGNALLED + end.getSignal() : end.getCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ModalFailure.cancelled(e);
        } catch (TimeoutException running) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            waiting = null;
            unanswered(e);
            return OptionalInt.empty();
        }
    }

    private void unanswered(ExecutionException e) throws SandboxException {
        if (!(e.getCause() instanceof StatusRuntimeException cause)) {
            throw new IllegalStateException(e.getCause());
        }
        Status.Code code = cause.getStatus().getCode();
        if (code == Status.Code.UNAUTHENTICATED && !refused) {
            refused = true;
            router.refused();
        } else if (!ModalFailure.passes(code) || router.isClosed()) {
            throw ModalFailure.of("waiting for a command", cause);
        } else if (code != Status.Code.DEADLINE_EXCEEDED) {
            notBefore = System.nanoTime() + WAIT_PAUSE_MILLIS * 1_000_000;
        }
    }

    OutputReader output() {
        return output;
    }

    /** What the script around the command says on the stream for errors. */
    OutputReader report() {
        return report;
    }

    @Override
    public void close() {
        output.close();
        report.close();
        if (waiting != null) {
            waiting.cancel(false);
        }
    }
}
