package dev.millrace.operators.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.backends.store.LogprobsCodec;
import dev.millrace.operators.Samples;
import dev.millrace.operators.train.MemoryStore;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.operators.async.AsyncWaitOperatorFactory;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReferenceLogprobsTest {
    private static final MemoryStore STORE = new MemoryStore();
    private static CompletableFuture<float[]> answer;
    private OneInputStreamOperatorTestHarness<LearnInput, LearnInput> harness;

    /** Answers with what the test says. */
    private static final class Scripted implements Sampler {
        @Override
        public CompletableFuture<Completion> sample(SampleRequest request) {
            return CompletableFuture.failedFuture(new SamplerException("not_here", "no"));
        }

        @Override
        public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
            return answer;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void open() throws Exception {
        open(false);
    }

    private void open(boolean all) throws Exception {
        ReferenceLogprobs stage =
                new ReferenceLogprobs(Samples.policy(0, 0), Scripted::new, () -> STORE, all);
        harness =
                new OneInputStreamOperatorTestHarness<>(
                        new AsyncWaitOperatorFactory<>(
                                stage, 1000, 4, AsyncDataStream.OutputMode.ORDERED),
                        TypeInformation.of(LearnInput.class)
                                .createSerializer(new ExecutionConfig().getSerializerConfig()));
        harness.open();
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private static Minibatch minibatch(ContentRef trajectory) {
        MinibatchItem item = new MinibatchItem("run/g0/a0", trajectory, 1, 2, null);
        return new Minibatch(Samples.RUN, 1, 0, 0, 1, List.of("run/g0"), List.of(item), 100, 0.5);
    }

    private LearnInput pass(ContentRef trajectory) throws Exception {
        harness.processElement(
                new StreamRecord<>(LearnInput.of(new EpochClaim(Samples.RUN, 1, 0, 0, "n"))));
        harness.processElement(new StreamRecord<>(LearnInput.of(minibatch(trajectory), 2)));
        harness.endInput();
        List<LearnInput> out = harness.extractOutputValues();
        assertThat(out).hasSize(2);
        assertThat(out.get(0).claim()).isNotNull();
        return out.get(1);
    }

    @Test
    void addsWhereTheLogprobsLie() throws Exception {
        answer = CompletableFuture.completedFuture(new float[] {0, -3, 0, -4});
        LearnInput out = pass(STORE.trajectory("run/g0/a0"));
        ContentRef logprobs = out.minibatch().items().get(0).referenceLogprobs();
        assertThat(LogprobsCodec.decode(STORE.get(logprobs))).containsExactly(0, -3, 0, -4);
        assertThat(out.lagMean()).isEqualTo(2);
        assertThat(out.rejects()).isEmpty();
    }

    @Test
    void anAttemptWithoutAnswerLeavesAndTheNormaliserStays() throws Exception {
        answer = CompletableFuture.failedFuture(new SamplerException("version_gone", "gone"));
        LearnInput out = pass(STORE.trajectory("run/g0/a0"));
        assertThat(out.minibatch().items()).isEmpty();
        assertThat(out.minibatch().normaliserTokens()).isEqualTo(100);
        assertThat(out.rejects().stream().map(Reject::reason))
                .containsExactly("reference_version_gone");
    }

    @Test
    void anAttemptThatCannotBeReadLeaves() throws Exception {
        LearnInput out = pass(new ContentRef("mem:nowhere", 1, "00"));
        assertThat(out.rejects().stream().map(Reject::reason))
                .containsExactly("trajectory_unreadable");
    }

    @Test
    void goesOnWithoutAnAnswerAtTheTimeout() throws Exception {
        answer = new CompletableFuture<>();
        harness.processElement(
                new StreamRecord<>(LearnInput.of(minibatch(STORE.trajectory("run/g0/a0")), 2)));
        harness.setProcessingTime(1001);
        harness.endInput();
        LearnInput out = harness.extractOutputValues().get(0);
        assertThat(out.rejects().stream().map(Reject::reason)).containsExactly("reference_timeout");
        assertThat(out.minibatch().items()).isEmpty();
    }

    @Test
    void inLockstepAnAttemptWithoutAnswerFailsTheTask() throws Exception {
        harness.close();
        open(true);
        answer = CompletableFuture.failedFuture(new SamplerException("version_gone", "gone"));
        harness.getEnvironment().setExpectedExternalFailureCause(Throwable.class);
        harness.processElement(
                new StreamRecord<>(LearnInput.of(minibatch(STORE.trajectory("run/g0/a0")), 2)));
        await().until(() -> harness.getEnvironment().getActualExternalFailureCause().isPresent());
        assertThat(harness.getEnvironment().getActualExternalFailureCause().orElseThrow())
                .hasStackTraceContaining("There are no reference log-probabilities");
        assertThat(harness.extractOutputValues()).isEmpty();
    }
}
