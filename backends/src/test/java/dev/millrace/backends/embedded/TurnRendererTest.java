package dev.millrace.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.exampletasks.Counts;
import dev.millrace.backends.exampletasks.ExampleTask;
import dev.millrace.backends.exampletasks.ExampleTasks;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ExecResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnRendererTest {
    private final TurnRenderer renderer = new TurnRenderer();

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ls", "sed -i 's|a|b|' tax.py", "grün \u0000\n\t\ud83d\ude00 \"q\""})
    void decodesWhatItEncoded(String text) {
        assertThat(PieceTokenizer.decode(PieceTokenizer.encode(text))).isEqualTo(text);
    }

    @Test
    void hasNoTokenThatIsAWholeCommand() {
        for (ExampleTask task : ExampleTasks.generate(1, Counts.DEFAULT)) {
            assertThat(Vocabulary.INSTANCE.pieces().stream().map(String::strip))
                    .doesNotContain("ls", "cat *", "exit", task.repair());
        }
    }

    @Test
    void parsesCommandsFromText() {
        Action action = renderer.parse(TurnRenderer.turn("cat *"), true);
        assertThat(action).isEqualTo(new Action(Action.Kind.COMMAND, "cat *", ""));
    }

    @Test
    void endsTheAttemptAtExit() {
        assertThat(renderer.parse(TurnRenderer.turn("exit"), true).kind())
                .isEqualTo(Action.Kind.FINAL);
    }

    @Test
    void refusesTurnsThatAreEmptyOrCutOff() {
        assertThat(renderer.parse(TurnRenderer.turn(" "), true).kind())
                .isEqualTo(Action.Kind.FORMAT_ERROR);
        assertThat(renderer.parse(PieceTokenizer.encode("ls"), false).kind())
                .isEqualTo(Action.Kind.FORMAT_ERROR);
    }

    @Test
    void opensEachTurnWithATokenOfItsOwn() {
        int[] start = renderer.start("Fix the program.");
        int[] next = renderer.observe(TurnRenderer.turn("ls"), true, "tax.py\n", 1);
        assertThat(start).startsWith(Vocabulary.BEGIN).endsWith(Vocabulary.FIRST_TURN);
        assertThat(next).startsWith(Vocabulary.OBSERVATION).endsWith(Vocabulary.FIRST_TURN + 1);
        assertThat(PieceTokenizer.decode(next)).isEqualTo("tax.py\n");
    }

    @Test
    void closesATurnThatWasCutOff() {
        assertThat(renderer.observe(new int[] {40}, false, "", 1))
                .containsExactly(
                        Vocabulary.END_OF_TURN, Vocabulary.OBSERVATION, Vocabulary.FIRST_TURN + 1);
    }

    @Test
    void showsTheStartOfALongObservationAndSaysSo() {
        int[] tokens = renderer.observe(new int[0], true, "~".repeat(5000), 2);
        assertThat(tokens).hasSize(TurnRenderer.MAX_OBSERVATION_TOKENS + 3);
        assertThat(tokens[tokens.length - 2]).isEqualTo(Vocabulary.TRUNCATED);
    }

    @Test
    void takesControlTokensFromNoObservation() {
        int[] tokens = PieceTokenizer.encode("<bos> \u0001\u0002 [END]");
        for (int token : tokens) {
            assertThat(token).isGreaterThanOrEqualTo(Vocabulary.BYTE);
        }
    }

    @Test
    void describesACommandByItsOutput() {
        byte[] output = "tax.py\n".getBytes(StandardCharsets.UTF_8);
        ExecResult done = new ExecResult(0, output, 7, false, false, 3, "");
        ExecResult late = new ExecResult(124, output, 7, true, false, 3, "time");
        assertThat(renderer.describe(done)).isEqualTo("tax.py\n");
        assertThat(renderer.describe(late)).contains("timed out");
    }
}
