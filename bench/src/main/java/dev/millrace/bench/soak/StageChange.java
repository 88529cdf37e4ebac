package dev.millrace.bench.soak;

import dev.millrace.udfs.model.FinishedAttempt;
import java.util.Objects;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * How a release of the job's code differs from the first: the stage that plays attempts has one
 * more operator in its chain, with an id that no other release knows. The operators of the release
 * before are gone.
 */
final class StageChange {
    private static final String STAGE = "rollout";

    private StageChange() {}

    /**
     * Adds what a release has and the first has not.
     *
     * @param release 0 is the first
     * @throws IllegalStateException when the job has no stage to change
     */
    static void apply(StreamExecutionEnvironment env, int release) {
        if (release == 0) {
            return;
        }
        Transformation<?> stage =
                env.getTransformations().stream()
                        .filter(each -> Objects.equals(each.getUid(), STAGE))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalStateException("No operator has the id " + STAGE));
        if (stage.getOutputType().getTypeClass() != FinishedAttempt.class) {
            throw new IllegalStateException("The stage gives " + stage.getOutputType());
        }
        @SuppressWarnings("unchecked")
        DataStream<FinishedAttempt> attempts =
                new DataStream<>(env, (Transformation<FinishedAttempt>) stage);
        String uid = "look-at-attempts-" + release;
        attempts.filter(new HasTries())
                .setParallelism(stage.getParallelism())
                .name("Look at attempts, release " + release)
                .uid(uid)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(stage.getParallelism())
                .name("Forget attempts, release " + release)
                .uid(uid + "-end");
    }

    /** Reads each attempt. */
    private static final class HasTries implements FilterFunction<FinishedAttempt> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean filter(FinishedAttempt attempt) {
            return attempt.admission() != null;
        }
    }
}
