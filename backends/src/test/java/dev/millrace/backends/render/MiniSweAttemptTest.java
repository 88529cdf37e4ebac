package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.harbor.HarborEnvironment;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.play.AttemptPlayer;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.repair.RepairGrader;
import dev.millrace.backends.rollout.Observations;
import dev.millrace.backends.rollout.RolloutPorts;
import dev.millrace.backends.rollout.RolloutRunner;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole attempts as mini-swe-agent's loop plays them, in sandboxes, and what they are worth. */
@Timeout(120)
class MiniSweAttemptTest {
    private static final Path TASK = Path.of("../examples/tasks/train-0000-operator");
    private static final String REPAIR = "sed -i 's| / | >> |' team.py";
    private static final String DONE =
            "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; grep -c . team.py";

    @TempDir private Path scratch;
    private final FakeStore store = new FakeStore();

    /** A model that says these turns, one after the other. */
    private static final class Saying implements Sampler {
        private final TextTokenizer tokenizer;
        private final List<String> turns;
        private final List<String> prompts = new ArrayList<>();

        Saying(TextTokenizer tokenizer, List<String> turns) {
            this.tokenizer = tokenizer;
            this.turns = turns;
        }

        @Override
        public CompletableFuture<Completion> sample(SampleRequest request) {
            String said = "why\n</think>\n" + turns.get(prompts.size()) + "<|im_end|>";
            prompts.add(tokenizer.decode(request.prompt()));
            int[] tokens = tokenizer.encode(tokenizer.markup().template(said));
            return CompletableFuture.completedFuture(
                    new Completion(
                            tokens, new float[tokens.length], request.policy().version(), true));
        }

        @Override
        public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
            return CompletableFuture.completedFuture(new float[tokens.length]);
        }

        @Override
        public void close() {}
    }

    private GradedAttempt play(boolean fenced, Saying model) {
        BubblewrapProvider provider = new BubblewrapProvider(scratch);
        HarborEnvironment tasks =
                new HarborEnvironment(
                        provider,
                        new HarborTaskLoader(),
                        Path::of,
                        20_000,
                        new RepairGrader(provider));
        RolloutPorts ports =
                new RolloutPorts(
                        tasks,
                        model,
                        new MiniSweRenderer(
                                ChatFamily.QWEN3_6, model.tokenizer, true, MiniSweSpec.own(fenced)),
                        store,
                        Observations.own());
        try (AttemptPlayer player =
                new AttemptPlayer(
                        new RolloutRunner(ports, 1), new GradingRunner(tasks, store, 1, 0))) {
            return player.play(admission()).join();
        }
    }

    private static Admission admission() {
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g1",
                1,
                "adm-1",
                1,
                0,
                "r0",
                new Task("t", TASK.toAbsolutePath().toUri().toString(), Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                1,
                "",
                new AttemptBudget(8, 4_000, 100_000, 3, 3_000, 60_000, 1));
    }

    private static String calls(String... commands) {
        return Stream.of(commands)
                .map(
                        command ->
                                "<tool_call>\n<function=bash>\n<parameter=command>\n"
                                        + command
                                        + "\n</parameter>\n</function>\n</tool_call>")
                .collect(Collectors.joining("\n"));
    }

    @Test
    void callsRunInFreshShellsUntilOneHandsTheWorkIn() throws Exception {
        Saying model =
                new Saying(
                        Tokenizers.small(),
                        List.of(
                                "I would rather talk.",
                                calls("cd / && export A=1", "pwd; echo \"<$A$PAGER>\"; ls nothing"),
                                calls("echo so far; sleep 60"),
                                calls(REPAIR, DONE, "rm team.py")));
        GradedAttempt graded = play(false, model);
        assertThat(graded.attempt().outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(graded.reward()).isEqualTo(1.0);
        assertThat(graded.attempt().turns()).isEqualTo(4);
        assertThat(model.prompts.get(1)).contains("Nothing was run").doesNotContain("rather talk");
        assertThat(model.prompts.get(2))
                .contains("<output>\n/workspace\n<cat>\n")
                .contains("nothing");
        assertThat(model.prompts.get(3))
                .contains("<returncode>-1</returncode>\n<output>\nso far\n</output>");
        String submission =
                new String(store.get(graded.attempt().submission()), StandardCharsets.UTF_8);
        assertThat(submission).matches("[0-9]+\n");
    }

    @Test
    void blocksAreRunOneATurn() {
        Saying model =
                new Saying(
                        Tokenizers.small(),
                        Stream.of(REPAIR, "", DONE)
                                .map(each -> "```mswea_bash_command\n" + each + "\n```")
                                .toList());
        GradedAttempt graded = play(true, model);
        assertThat(graded.attempt().outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(graded.reward()).isEqualTo(1.0);
        assertThat(model.prompts.get(2))
                .endsWith(
                        "<|im_start|>user\n<returncode>0</returncode>\n<output>\n</output>"
                                + "<|im_end|>\n<|im_start|>assistant\n<think>\n");
    }

    @Test
    void threeTurnsInARowThatCantBeParsedEndTheAttempt() {
        Saying model = new Saying(Tokenizers.small(), List.of("one", "two", "three", "four"));
        GradedAttempt graded = play(false, model);
        assertThat(graded.attempt().outcome()).isEqualTo(Outcome.FORMAT_ERRORS);
        assertThat(graded.attempt().generatedTokens()).isZero();
        assertThat(model.prompts).hasSize(3);
    }
}
