package dev.millrace.bench.soak;

import dev.millrace.jobs.cluster.ClusterJob;
import dev.millrace.jobs.cluster.JobManagerAway;
import dev.millrace.jobs.cluster.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Carries kills out. */
final class Killer {
    private static final long CHECKPOINT_PATIENCE_MILLIS = 15_000;
    private static final int STEPS_BACK = 2;
    private static final int AWAY_SECONDS = 90;

    /**
     * A kill that was carried out.
     *
     * @param kind what was done
     * @param at when it had its effect, milliseconds since 1970
     * @param notBefore updates of the weights count as a recovery from then on: those of tasks that
     *     a lost JobManager left running do not
     * @param mark position of the trainer that it must go beyond to have recovered
     * @param duringCheckpoint whether a checkpoint was in progress
     */
    record Done(KillKind kind, long at, long notBefore, long mark, boolean duringCheckpoint) {}

    private final SoakStage stage;
    private final Path savepoints;
    private boolean longAway;

    /**
     * @param savepoints folder of the savepoints that it takes
     * @param longAway whether the first outage of the model server lasts real seconds
     */
    Killer(SoakStage stage, Path savepoints, boolean longAway) {
        this.stage = stage;
        this.savepoints = savepoints;
        this.longAway = longAway;
    }

    /**
     * Carries a kill out.
     *
     * @param inCheckpoint whether to wait, a little, until a checkpoint is in progress
     */
    Done carryOut(Kill kill, boolean inCheckpoint) {
        String savepoint = "";
        OptionalLong mark = OptionalLong.empty();
        if (kill.kind() == KillKind.OLD_SAVEPOINT) {
            savepoint = SoakStage.patiently(() -> stage.job().savepoint(savepoints));
            mark = OptionalLong.of(stage.watch.position());
            long back = stage.watch.step() + STEPS_BACK;
            Waiting.until("step " + back, () -> stage.watch.step() >= back, stage);
        }
        boolean caught = inCheckpoint && awaitCheckpoint(stage.job());
        long at = strike(kill, savepoint);
        long notBefore = kill.kind().resubmits() ? System.currentTimeMillis() : at;
        long beyond = mark.orElseGet(() -> stage.watch.furthest(at));
        return new Done(kill.kind(), at, notBefore, beyond, caught);
    }

    /** When it had its effect: a service that is told to fail does so at its next call. */
    private long strike(Kill kill, String savepoint) {
        long now = System.currentTimeMillis();
        switch (kill.kind()) {
            case ROLLOUT_EXCEPTION -> {
                return struck(stage.model, "model -> task exception once");
            }
            case TRAINER_EXCEPTION -> {
                return struck(stage.trainer, "trainer -> task exception once");
            }
            case SESSION_LOST -> {
                return struck(stage.trainer, "trainer(*.m1) -> session lost");
            }
            case SANDBOX_GONE -> {
                return struck(stage.sandbox, "exec -> gone");
            }
            case MODEL_AWAY -> {
                return struck(stage.model, "model -> 503 for " + awaySeconds() + " s");
            }
            case TASK_MANAGER -> {
                List<Member> all = stage.cluster.taskManagers();
                stage.members.kill(all.get(kill.choice() % all.size()));
            }
            case WHOLE_JOB -> stage.killWholeJob();
            case RESTORE -> stage.restore();
            case JOB_MANAGER -> stage.killJobManager();
            case BROKER -> stage.members.kill(stage.cluster.broker());
            case OLD_SAVEPOINT -> stage.restoreFrom(savepoint);
            case RESCALE -> stage.rescale();
            case STAGE_CHANGED -> stage.changeStage();
        }
        return now;
    }

    private long struck(ServiceProcess service, String rule) {
        int number = service.arm(rule);
        Waiting.until(
                "the call that is to fail: " + rule,
                () -> service.struckAt(number).isPresent(),
                stage);
        return service.struckAt(number).orElseThrow();
    }

    /** In virtual time. */
    private long awaySeconds() {
        double factor = longAway ? stage.factor() : 1;
        longAway = false;
        return Math.round(AWAY_SECONDS * factor);
    }

    /** Waits for a checkpoint to be in progress; false when none was in time. */
    private static boolean awaitCheckpoint(ClusterJob job) {
        long end = System.currentTimeMillis() + CHECKPOINT_PATIENCE_MILLIS;
        while (System.currentTimeMillis() < end) {
            try {
                if (job.checkpointInProgress()) {
                    return true;
                }
            } catch (JobManagerAway e) {
                Pause.millis(200);
            }
            Pause.millis(10);
        }
        return false;
    }
}
