package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * When an environment is fit for use.
 *
 * @param command shell text; exit code 0 means that it is
 * @param intervalMillis pause after a failure
 * @param timeoutMillis longest time that one check may take
 * @param startPeriodMillis failures don't count for so long
 * @param startIntervalMillis pause after a failure meanwhile
 * @param retries so many failures in a row end it
 */
public record Healthcheck(
        String command,
        long intervalMillis,
        long timeoutMillis,
        long startPeriodMillis,
        long startIntervalMillis,
        int retries) {
    private static final int OUTPUT_BYTES = 2000;

    /**
     * Waits until the environment is fit.
     *
     * @param deadlineNanos when it has to be, by {@link System#nanoTime}
     * @throws SandboxException of kind IMAGE when it isn't
     */
    void await(Sandbox sandbox, long deadlineNanos) throws SandboxException {
        long startPeriodEnd = System.nanoTime() + startPeriodMillis * 1_000_000;
        int failures = 0;
        while (true) {
            boolean starting = System.nanoTime() < startPeriodEnd;
            ExecResult result = check(sandbox, Math.max(1, millisUntil(deadlineNanos)));
            if (result.exitCode() == 0) {
                return;
            }
            failures += starting ? 0 : 1;
            if (failures >= retries) {
                throw unfit(failures + " checks in a row failed", result);
            }
            long pause = starting ? startIntervalMillis : intervalMillis;
            if (millisUntil(deadlineNanos) <= pause) {
                throw unfit("not fit when the time to build it was over", result);
            }
            sleep(pause);
        }
    }

    private ExecResult check(Sandbox sandbox, long leftMillis) throws SandboxException {
        return sandbox.exec(
                new ExecRequest(
                        TaskEnvironment.OWN + "health",
                        command,
                        "",
                        Map.of(),
                        Math.min(timeoutMillis, leftMillis),
                        OUTPUT_BYTES));
    }

    private static SandboxException unfit(String why, ExecResult last) {
        String how = last.timedOut() ? last.limitThatFired() : "exit " + last.exitCode();
        String output = new String(last.output(), StandardCharsets.UTF_8).strip();
        return new SandboxException(
                Kind.IMAGE, "healthcheck: " + why + " (" + how + "): " + output);
    }

    private static long millisUntil(long nanos) {
        return (nanos - System.nanoTime()) / 1_000_000;
    }

    private static void sleep(long millis) throws SandboxException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        }
    }
}
