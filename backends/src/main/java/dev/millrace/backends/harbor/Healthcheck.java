package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

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
    private static final double INTERVAL_SECONDS = 5;
    private static final double TIMEOUT_SECONDS = 30;
    private static final int RETRIES = 3;

    /** That of a section, if it has one. */
    static Optional<Healthcheck> read(TaskToml section) {
        if (!section.has("healthcheck")) {
            return Optional.empty();
        }
        TaskToml check = section.section("healthcheck");
        Optional<String> command = check.text("command");
        if (!check.has("command")) {
            check.problem("command", "is missing", "write what is to be run");
        }
        return command.map(
                text ->
                        new Healthcheck(
                                text,
                                check.secondsOrZero("interval_sec", INTERVAL_SECONDS),
                                check.seconds("timeout_sec", TIMEOUT_SECONDS),
                                check.secondsOrZero("start_period_sec", 0),
                                check.secondsOrZero("start_interval_sec", INTERVAL_SECONDS),
                                check.positive("retries").map(Double::intValue).orElse(RETRIES)));
    }

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
