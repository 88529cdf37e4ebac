package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ChatRenderer;
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
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.rollout.RolloutMachine;
import dev.millrace.udfs.step.StepView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conversations with a model that says anything, also tokens that no text is tokenized into. */
class TokenExactnessTest {
    private static final List<ChatFamily> FAMILIES = List.of(ChatFamily.values());

    private static final TextTokenizer TOKENIZER = Tokenizers.small();
    private final FakeStore store = new FakeStore();

    @AfterAll
    static void close() {
        TOKENIZER.close();
    }

    /** Ways to work, and how many conversations are played in each. */
    enum Way {
        TOOL(1_000),
        MINI_SWE_DROPPING(250),
        MINI_SWE_KEEPING(250),
        FENCED_DROPPING(250),
        FENCED_KEEPING(250);

        private final int conversations;

        Way(int conversations) {
            this.conversations = conversations;
        }

        boolean fenced() {
            return name().startsWith("FENCED");
        }

        boolean drops() {
            return name().endsWith("DROPPING");
        }

        ChatRenderer renderer(ChatFamily family, TextTokenizer tokenizer, boolean thinking) {
            if (this == TOOL) {
                return new QwenRenderer(family, tokenizer, "Repair.", thinking);
            }
            MiniSweSpec own = MiniSweSpec.own(fenced());
            return new MiniSweRenderer(
                    family,
                    tokenizer,
                    thinking,
                    new MiniSweSpec(
                            fenced(),
                            own.fence(),
                            !drops(),
                            own.environment(),
                            own.mostSubmissionBytes(),
                            own.texts()));
        }

        AnySaying.Form form(ChatFamily family) {
            return fenced()
                    ? AnySaying.Form.FENCED
                    : family.xml() ? AnySaying.Form.XML : AnySaying.Form.JSON;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void sendsEveryTurnAfterThePromptAndTheTurnBeforeIt(Way way) throws IOException {
        int turns = 0;
        int left = 0;
        for (int i = 0; i < way.conversations; i++) {
            ChatFamily family = FAMILIES.get(i % FAMILIES.size());
            boolean thinking = i % 2 == 0;
            ChatRenderer renderer = way.renderer(family, TOKENIZER, thinking);
            AnySaying model = new AnySaying(i, TOKENIZER, way.form(family));
            Trajectory trajectory = play(renderer, model, i);
            turns += model.prompts.size();
            List<Turn> played = trajectory.turns();
            for (int turn = 1; turn < model.prompts.size(); turn++) {
                int[] prompt = model.prompts.get(turn - 1);
                boolean leaves = leaves(way, played.get(turn - 1));
                left += leaves ? 1 : 0;
                int[] before =
                        leaves
                                ? Arrays.copyOf(prompt, prompt.length - opening(family, thinking))
                                : joined(prompt, model.said.get(turn - 1));
                assertThat(Arrays.copyOf(model.prompts.get(turn), before.length)).isEqualTo(before);
            }
            assertThat(masked(trajectory))
                    .as("every token of the model that stays is trained once, nothing else is")
                    .isEqualTo(
                            IntStream.range(0, played.size())
                                    .filter(turn -> !leaves(way, played.get(turn)))
                                    .mapToObj(model.said::get)
                                    .flatMapToInt(Arrays::stream)
                                    .toArray());
        }
        assertThat(turns).isGreaterThan(2 * way.conversations);
        assertThat(left > way.conversations / 2).isEqualTo(way.drops());
    }

    private static boolean leaves(Way way, Turn turn) {
        return way.drops() && turn.action() == TurnAction.FORMAT_ERROR;
    }

    private int opening(ChatFamily family, boolean thinking) {
        Markup opening = TOKENIZER.markup();
        new QwenTemplate(family, thinking).opening(opening);
        return TOKENIZER.encode(opening).length;
    }

    private Trajectory play(ChatRenderer renderer, AnySaying model, int index) throws IOException {
        RolloutPorts ports =
                new RolloutPorts(new FakeTasks(), model, renderer, store, Observations.own());
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

    static int[] joined(int[] one, int[] other) {
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
}
