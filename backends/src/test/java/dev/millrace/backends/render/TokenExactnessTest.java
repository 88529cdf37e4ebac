package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.StepView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Conversations with a model that says anything, also tokens that no text is tokenized into. */
class TokenExactnessTest {
    private static final int CONVERSATIONS = 1_000;
    private static final int IDS = 700;
    private static final List<ChatFamily> FAMILIES = List.of(ChatFamily.values());

    private final TextTokenizer tokenizer = Tokenizers.small();
    private final FakeStore store = new FakeStore();

    @Test
    void sendsEveryTurnAfterThePromptAndTheTurnBeforeIt() throws IOException {
        int turns = 0;
        for (int i = 0; i < CONVERSATIONS; i++) {
            ChatFamily family = FAMILIES.get(i % FAMILIES.size());
            AnySaying model = new AnySaying(i, tokenizer, family.xml());
            Trajectory trajectory = play(family, model, i);
            turns += model.prompts.size();
            for (int turn = 1; turn < model.prompts.size(); turn++) {
                int[] before = joined(model.prompts.get(turn - 1), model.said.get(turn - 1));
                int[] prompt = model.prompts.get(turn);
                assertThat(Arrays.copyOf(prompt, before.length)).isEqualTo(before);
            }
            assertThat(masked(trajectory))
                    .as("every token of the model is trained once, nothing else is")
                    .isEqualTo(model.said.stream().flatMapToInt(Arrays::stream).toArray());
        }
        assertThat(turns).isGreaterThan(3 * CONVERSATIONS);
        tokenizer.close();
    }

    private Trajectory play(ChatFamily family, AnySaying model, int index) throws IOException {
        RolloutPorts ports =
                new RolloutPorts(
                        new FakeTasks(),
                        model,
                        new QwenRenderer(family, tokenizer, "Repair.", index % 2 == 0),
                        store,
                        Observations.own());
        RolloutMachine machine = new RolloutMachine();
        Admission admission = admission(index);
        List<StepEvent> events = new ArrayList<>();
        try (RolloutRunner runner = new RolloutRunner(ports, 1)) {
            StepView<Admission> view = new StepView<>(admission, List.of());
            while (machine.result(view).isEmpty()) {
                events.add(runner.start(machine.due(view).get(0)).join());
                view = new StepView<>(admission, List.copyOf(events));
            }
            FinishedAttempt finished = machine.result(view).orElseThrow();
            return TrajectoryCodec.decode(store.get(finished.trajectory()));
        }
    }

    private static int[] masked(Trajectory trajectory) {
        return IntStream.range(0, trajectory.tokens().length)
                .filter(i -> trajectory.mask()[i] == 1)
                .map(i -> trajectory.tokens()[i])
                .toArray();
    }

    private static int[] joined(int[] one, int[] other) {
        int[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static Admission admission(int index) {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g" + index,
                index,
                "adm-" + index,
                1,
                0,
                "r0",
                new Task("täsk <|im_end|> " + index, "fake:task-" + index, Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                index,
                "",
                new AttemptBudget(8, 64, 100_000, 9, 1_000, 100_000, 1));
    }

    /** Says commands, broken commands, noise, or nothing; ends its turn or is cut off. */
    private static final class AnySaying implements Sampler {
        private final SplittableRandom random;
        private final TextTokenizer tokenizer;
        private final boolean xml;
        private final List<int[]> prompts = new ArrayList<>();
        private final List<int[]> said = new ArrayList<>();

        AnySaying(long seed, TextTokenizer tokenizer, boolean xml) {
            this.random = new SplittableRandom(seed);
            this.tokenizer = tokenizer;
            this.xml = xml;
        }

        @Override
        public CompletableFuture<Completion> sample(SampleRequest request) {
            boolean ends = random.nextInt(4) > 0;
            int[] turn = turn();
            int[] whole =
                    ends && random.nextInt(5) > 0
                            ? joined(turn, new int[] {tokenizer.mark("<|im_end|>")})
                            : turn;
            if (whole.length == 0) {
                whole = new int[] {tokenizer.mark("<|endoftext|>")};
            }
            prompts.add(request.prompt());
            said.add(whole);
            float[] logprobs = new float[whole.length];
            Arrays.fill(logprobs, -1);
            return CompletableFuture.completedFuture(
                    new Completion(whole, logprobs, request.policy().version(), ends));
        }

        private int[] turn() {
            String command = random.nextInt(3) == 0 ? "nonsense é" : "write " + random.nextInt(2);
            String call =
                    xml
                            ? "<function=bash>\n<parameter=command>\n"
                                    + command
                                    + "\n</parameter>\n</function>"
                            : "{\"name\": \"bash\", \"arguments\": {\"command\": \""
                                    + command
                                    + "\"}}";
            String second = random.nextBoolean() ? "" : "\n<tool_call>" + call + "</tool_call>";
            return switch (random.nextInt(4)) {
                case 0 -> random.ints(random.nextInt(30), 0, IDS).toArray();
                case 1 ->
                        tokenizer.encode(
                                tokenizer.markup().template("x</think><tool_call>" + call));
                default ->
                        tokenizer.encode(
                                tokenizer
                                        .markup()
                                        .template(
                                                "  why\n</think>\n\n<tool_call>\n"
                                                        + call
                                                        + "\n</tool_call>"
                                                        + second));
            };
        }

        @Override
        public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
            return CompletableFuture.completedFuture(new float[tokens.length]);
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
