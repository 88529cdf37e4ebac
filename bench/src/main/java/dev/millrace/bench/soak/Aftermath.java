package dev.millrace.bench.soak;

import dev.millrace.bench.sim.ServiceLog;
import dev.millrace.bench.soak.verify.Evidence;
import dev.millrace.bench.soak.verify.Findings;
import dev.millrace.bench.soak.verify.Leases;
import dev.millrace.bench.soak.verify.Verifier;
import dev.millrace.pipeline.settings.TrainSettings;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Gathers what a run has left in the topics and in the services' logs, and has it judged. */
final class Aftermath {
    private static final long LEAK_MILLIS = 60_000;

    private final SoakStage stage;
    private final TrainSettings train;

    Aftermath(SoakStage stage, TrainSettings train) {
        this.stage = stage;
        this.train = train;
    }

    /** Gives sandboxes a minute to end. */
    void awaitNoLeaks() throws IOException {
        long end = System.currentTimeMillis() + LEAK_MILLIS;
        while (System.currentTimeMillis() < end
                && !Leases.alive(ServiceLog.read(stage.sandbox.log())).isEmpty()) {
            Pause.millis(500);
        }
    }

    /**
     * Judges.
     *
     * @param steps of the run
     * @param kills when they struck, milliseconds since 1970
     */
    Findings findings(long steps, List<Long> kills) throws IOException {
        String broker = stage.cluster.bootstrapServers();
        var topics = stage.plan().topics();
        List<Evidence.Journaled> events = new ArrayList<>();
        new Topic(broker, topics.turns())
                .forEach(
                        StepEvent.class,
                        (event, at) -> events.add(new Evidence.Journaled(event, at)));
        return Verifier.judge(
                new Evidence(
                        new Evidence.Promises(
                                steps,
                                train.groupsPerBatch() / train.groupsPerMinibatch(),
                                train.maxLag()),
                        events,
                        new Topic(broker, topics.groups()).values(GroupRecord.class),
                        new Topic(broker, topics.policies()).values(PolicyRecord.class),
                        new Topic(broker, topics.progress()).values(ProgressRecord.class),
                        ServiceLog.read(stage.trainer.log()),
                        ServiceLog.read(stage.sandbox.log()),
                        kills));
    }
}
