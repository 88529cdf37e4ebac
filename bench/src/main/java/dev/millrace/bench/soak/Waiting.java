package dev.millrace.bench.soak;

import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobStatus;

/** Waits for a run to get somewhere, as long as it moves at all. */
final class Waiting {
    private static final long STUCK_MILLIS = 600_000;
    private static final long POLL_MILLIS = 200;

    private Waiting() {}

    /**
     * Waits.
     *
     * @throws StuckException when the job has ended, or no service was asked for anything for long
     */
    static void until(String what, BooleanSupplier reached, SoakStage stage) {
        long moved = System.currentTimeMillis();
        long seen = -1;
        while (!reached.getAsBoolean()) {
            stage.members.revive();
            boolean ended = stage.status().map(JobStatus::isGloballyTerminalState).orElse(false);
            if (ended && !reached.getAsBoolean()) {
                throw new StuckException(
                        "waiting for " + what + ", but the job has ended " + stage.status());
            }
            long asked = activity(stage);
            if (asked != seen) {
                seen = asked;
                moved = System.currentTimeMillis();
            }
            if (System.currentTimeMillis() - moved > STUCK_MILLIS) {
                throw new StuckException(
                        "waiting for " + what + ", but nothing was done for 10 min");
            }
            Pause.millis(POLL_MILLIS);
        }
    }

    /** Grows with whatever the services are asked for. */
    private static long activity(SoakStage stage) {
        return stage.model.log().toFile().length()
                + stage.sandbox.log().toFile().length()
                + stage.trainer.log().toFile().length();
    }
}
