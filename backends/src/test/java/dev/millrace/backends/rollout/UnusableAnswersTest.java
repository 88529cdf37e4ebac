package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.SamplerException;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.StepView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a sampler must not say, and what becomes of an attempt when it does. */
class UnusableAnswersTest {
    private static final PolicyVersion ASKED = new PolicyVersion(1, 3);
    private final FakeTasks tasks = new FakeTasks();
    private final List<StepEvent> events = new ArrayList<>();

    private static Completion said(float[] logprobs, PolicyVersion served) {
        return new Completion(new int[] {FakeTasks.ANSWERS}, logprobs, served, true);
    }

    /** Plays an attempt whose sampler answers so, and rightly once these are used up. */
    private FinishedAttempt play(List<CompletableFuture<Completion>> answers) throws Exception {
        List<CompletableFuture<Completion>> left = new ArrayList<>(answers);
        Sampler sampler =
                new Sampler() {
                    @Override
                    public CompletableFuture<Completion> sample(SampleRequest request) {
                        return left.isEmpty()
                                ? CompletableFuture.completedFuture(said(new float[] {-1}, ASKED))
                                : left.remove(0);
                    }

                    @Override
                    public CompletableFuture<float[]> computeLogprobs(
                            PolicyRef policy, int[] tokens) {
                        return CompletableFuture.completedFuture(new float[tokens.length]);
                    }

                    @Override
                    public void close() {
                        // Nothing is held.
                    }
                };
        RolloutMachine machine = new RolloutMachine();
        try (RolloutRunner runner =
                new RolloutRunner(
                        new RolloutPorts(
                                tasks,
                                sampler,
                                new FakeRenderer(),
                                new FakeStore(),
                                Observations.own()),
                        1)) {
            while (machine.result(view()).isEmpty()) {
                events.add(runner.start(machine.due(view()).get(0)).get(5, TimeUnit.SECONDS));
            }
            return machine.result(view()).orElseThrow();
        }
    }

    private StepView<Admission> view() {
        return new StepView<>(
                new Admission(
                        "run-1",
                        Lane.TRAIN,
                        "run-1/g7",
                        7,
                        "adm-1",
                        2,
                        0,
                        "r0",
                        new Task("task-1", "fake:task-1", Split.TRAIN, ""),
                        new PolicyRef(ASKED, ""),
                        1.0,
                        42,
                        "",
                        new AttemptBudget(3, 8, 200, 2, 1_000, 10_000, 3)),
                events);
    }

    private List<String> causes() {
        return events.stream()
                .filter(e -> e.kind() == StepEvent.Kind.FAILED)
                .map(e -> e.failure().cause())
                .toList();
    }

    @Test
    void logprobsThatAreMissingOrNotFiniteAreRefusedAtTheBoundaryAndTheAttemptIsPlayedAgain()
            throws Exception {
        FinishedAttempt finished =
                play(
                        List.of(
                                CompletableFuture.completedFuture(
                                        said(new float[] {Float.NaN}, ASKED)),
                                CompletableFuture.completedFuture(said(null, ASKED))));
        assertThat(causes()).containsExactly("logprobs_unusable", "logprobs_unusable");
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.tries()).isEqualTo(3);
        assertThat(tasks.alive()).isEmpty();
    }

    @Test
    void anAnswerOfAnotherVersionThanAskedForIsRefused() throws Exception {
        FinishedAttempt finished =
                play(
                        List.of(
                                CompletableFuture.completedFuture(
                                        said(new float[] {-1}, new PolicyVersion(1, 4)))));
        assertThat(causes()).containsExactly("sampler_wrong_version");
        assertThat(finished.oldestVersion()).isEqualTo(ASKED);
    }

    @Test
    void aVersionThatIsServedNoMoreLosesTheAttemptAtOnceAndItsGroupWhole() throws Exception {
        FinishedAttempt finished =
                play(
                        List.of(
                                CompletableFuture.failedFuture(
                                        new SamplerException("version_gone", "it was removed"))));
        assertThat(finished.outcome()).isEqualTo(Outcome.LOST);
        assertThat(finished.failure().cause()).isEqualTo("sampler_version_gone");
        assertThat(events).as("it is not tried again").hasSize(2);
        List<AttemptSummary> group =
                List.of(
                        summary(0, finished, false),
                        summary(1, null, true),
                        summary(2, null, true));
        GroupVerdict verdict = GroupVerdict.of(group, 3, 2);
        assertThat(verdict.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(verdict.cause()).isEqualTo(GroupVerdict.REPINNED);
    }

    private static AttemptSummary summary(int index, FinishedAttempt lost, boolean valid) {
        return new AttemptSummary(
                "run-1/g7/a" + index,
                index,
                valid ? Outcome.SUBMITTED : Outcome.LOST,
                valid,
                valid ? index - 1 : 0,
                valid ? null : lost.failure(),
                List.of(),
                null,
                1,
                1,
                1,
                ASKED,
                1,
                1,
                1);
    }
}
