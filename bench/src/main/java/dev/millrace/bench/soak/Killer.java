package dev.millrace.bench.soak;

import dev.millrace.jobs.cluster.ClusterJob;
import dev.millrace.jobs.cluster.JobManagerAway;
import dev.millrace.jobs.cluster.Member;
import java.nio.file.Path;
import java.util.List;

/** Carries kills out. */
final class Killer {
    private static final long CHECKPOINT_PATIENCE_MILLIS = 15_000;
    private static final int STEPS_BACK = 2;

    /**
     * A kill that was carried out.
     *
     * @param kind what was done
     * @param at when, milliseconds since 1970
     * @param notBefore updates of the weights count as a recovery from then on: those of tasks that
     *     a lost JobManager left running do not
     * @param mark position of the trainer that it must go beyond to have recovered
     * @param duringCheckpoint whether a checkpoint was in progress
     */
    record Done(KillKind kind, long at, long notBefore, long mark, boolean duringCheckpoint) {}

    private final SoakStage stage;
    private final Path savepoints;

    Killer(SoakStage stage, Path savepoints) {
        this.stage = stage;
        this.savepoints = savepoints;
    }

    Done carryOut(Kill kill) {
        long mark = stage.watch.furthest();
        String savepoint = "";
        if (kill.kind() == KillKind.OLD_SAVEPOINT) {
            savepoint = SoakStage.patiently(() -> stage.job().savepoint(savepoints));
            mark = stage.watch.position();
            long back = stage.watch.step() + STEPS_BACK;
            Waiting.until("step " + back, () -> stage.watch.step() >= back, stage);
        }
        boolean caught = kill.duringCheckpoint() && awaitCheckpoint(stage.job());
        long at = System.currentTimeMillis();
        strike(kill, savepoint);
        long notBefore = kill.kind().resubmits() ? System.currentTimeMillis() : at;
        return new Done(kill.kind(), at, notBefore, mark, caught);
    }

    private void strike(Kill kill, String savepoint) {
        switch (kill.kind()) {
            case ROLLOUT_EXCEPTION -> stage.model.arm("model -> task exception once");
            case TRAINER_EXCEPTION -> stage.trainer.arm("trainer -> task exception once");
            case TASK_MANAGER -> {
                List<Member> all = stage.cluster.taskManagers();
                Member chosen = all.get(kill.choice() % all.size());
                chosen.kill();
                chosen.restart();
            }
            case RESTORE -> stage.restore();
            case JOB_MANAGER -> {
                stage.cluster.jobManager().kill();
                stage.cluster.jobManager().restart();
                stage.cluster.awaitTaskManagers();
                stage.resubmit();
            }
            case BROKER -> {
                stage.cluster.broker().kill();
                stage.cluster.broker().restart();
            }
            case SESSION_LOST -> stage.trainer.arm("trainer(*.m1) -> session lost");
            case SANDBOX_GONE -> stage.sandbox.arm("exec -> gone");
            case MODEL_AWAY -> stage.model.arm("model -> 503 for 90 s");
            case OLD_SAVEPOINT -> stage.restoreFrom(savepoint);
            case RESCALE -> stage.rescale();
        }
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
