package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.HandedIn;
import dev.millrace.backends.port.Reply;
import dev.millrace.udfs.agent.TemplateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MiniSweRendererTest {
    private static final TextTokenizer TOKENIZER = Tokenizers.small();
    private static final String DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

    @AfterAll
    static void close() {
        TOKENIZER.close();
    }

    private static MiniSweSpec spec(boolean fenced, boolean keep, MiniSweSpec.Texts texts) {
        return new MiniSweSpec(fenced, "act", keep, new LinkedHashMap<>(), 20, texts);
    }

    private static MiniSweRenderer own(boolean fenced) {
        return new MiniSweRenderer(
                ChatFamily.QWEN3_6,
                TOKENIZER,
                true,
                spec(fenced, false, MiniSweSpec.Texts.own(fenced)));
    }

    private static int[] tokens(String text) {
        return TOKENIZER.encode(TOKENIZER.markup().template(text));
    }

    private static int[] joined(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }

    private static int[] without(int[] tokens, int last) {
        return Arrays.copyOf(tokens, tokens.length - last);
    }

    /** What follows what by the models' own templates; a script beside them says how. */
    static Stream<JsonNode> conversations() throws IOException {
        JsonNode cases =
                new ObjectMapper()
                        .readTree(
                                Tokenizers.resource("mini-swe-agent/conversations.json").toFile());
        return IntStream.range(0, cases.size()).mapToObj(cases::get);
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void writesConversationsAsTheModelsOwnTemplatesDo(JsonNode given) {
        ChatFamily family =
                ChatFamily.valueOf(given.path("family").asText().toUpperCase(Locale.ROOT));
        boolean fenced = given.path("fenced").asBoolean();
        String malformed = given.path("malformed").asText();
        MiniSweSpec.Texts texts =
                new MiniSweSpec.Texts(given.path("system").asText() + "\n", "{{ task }}", "", "");
        MiniSweRenderer dropping =
                new MiniSweRenderer(family, TOKENIZER, true, spec(fenced, false, texts));
        MiniSweRenderer keeping =
                new MiniSweRenderer(family, TOKENIZER, true, spec(fenced, true, texts));
        int[] start = dropping.start(given.path("task").asText());
        assertThat(start).isEqualTo(tokens(given.path("start").asText()));
        int[] said = {TOKENIZER.mark("<think>")};
        int[] seen = seen(dropping, said, given.path("observations"));
        assertThat(seen).isEqualTo(tokens(given.path("answered").asText()));
        Reply kept = keeping.reply(said, true, malformed, 1);
        assertThat(kept.takenBack()).isZero();
        assertThat(kept.tokens()).isEqualTo(tokens(given.path("kept").asText()));
        Reply dropped = dropping.reply(said, true, malformed, 2);
        assertThat(joined(without(joined(seen, said), dropped.takenBack()), dropped.tokens()))
                .isEqualTo(tokens(given.path("dropped").asText()));
        assertThat(joined(without(joined(start, said), dropped.takenBack()), dropped.tokens()))
                .isEqualTo(tokens(given.path("droppedAtOnce").asText()));
    }

    private static int[] seen(MiniSweRenderer renderer, int[] said, JsonNode observations) {
        int parts = observations.size();
        return IntStream.range(0, parts)
                .mapToObj(
                        i ->
                                renderer.observe(
                                        said, true, observations.get(i).asText(), 1, i, parts))
                .flatMapToInt(Arrays::stream)
                .toArray();
    }

    private static String call(String command) {
        return "<tool_call>\n<function=bash>\n<parameter=command>\n"
                + command
                + "\n</parameter>\n</function>\n</tool_call>";
    }

    @Test
    void findsActionsAfterTheThinkingOnly() {
        String thought = "```act\nrm -r .\n```\n" + call("rm -r .") + "</think>";
        assertThat(own(true).parse(tokens(thought + "```act\n ls \n```<|im_end|>"), true))
                .isEqualTo(Action.commands(List.of("ls")));
        assertThat(own(false).parse(tokens(thought + call("ls") + call("")), true))
                .isEqualTo(Action.commands(List.of("ls", "")));
        for (boolean fenced : List.of(true, false)) {
            assertThat(own(fenced).parse(tokens(thought.replace("</think>", "")), true).kind())
                    .isEqualTo(Action.Kind.FORMAT_ERROR);
        }
    }

    @Test
    void runsNothingOfATurnThatIsNotAsItShouldBe() {
        Map<String, String> wrong =
                Map.of(
                        "hello",
                        "there is no call",
                        call("ls") + call("x").replace("bash", "python"),
                        "no tool 'python'",
                        call("ls").replace("command", "cmd"),
                        "no argument 'command'",
                        call("ls") + "<tool_call>",
                        "never closed");
        wrong.forEach(
                (said, why) -> {
                    Action read = own(false).parse(tokens("</think>" + said), true);
                    assertThat(read.kind()).isEqualTo(Action.Kind.FORMAT_ERROR);
                    assertThat(read.feedback()).contains("Nothing was run").contains(why);
                });
        Action two = own(true).parse(tokens("</think>```act\nls\n```\n```act\nls\n```"), true);
        assertThat(two.feedback())
                .contains("expected exactly one action, found 2")
                .contains("```act");
    }

    @Test
    void readsCallsOfOlderModelsAndLeavesOtherArgumentsAlone() {
        MiniSweRenderer json =
                new MiniSweRenderer(
                        ChatFamily.QWEN3,
                        TOKENIZER,
                        true,
                        spec(false, false, MiniSweSpec.Texts.own(false)));
        String two =
                "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\", \"n\": 1}}"
                        + "</tool_call>";
        assertThat(json.parse(tokens(two), true)).isEqualTo(Action.commands(List.of("ls")));
        String more =
                call("ls")
                        .replace(
                                "</function>", "<parameter=timeout>\n3\n</parameter>\n</function>");
        assertThat(own(false).parse(tokens("</think>" + more), true))
                .isEqualTo(Action.commands(List.of("ls")));
    }

    @Test
    void tellsATurnThatWasCutOffFromAMalformedOne() {
        assertThat(own(false).parse(tokens("I think"), false).feedback()).contains("out of tokens");
        assertThat(own(true).parse(tokens("I think"), false).feedback()).contains("out of tokens");
        assertThat(own(true).parse(tokens("</think>```act\nls\n```\nand"), false))
                .isEqualTo(Action.commands(List.of("ls")));
    }

    private static ExecResult result(int exit, byte[] output, long total, boolean timedOut) {
        return new ExecResult(exit, output, total, timedOut, false, 5, timedOut ? "5 s" : "");
    }

    private static ExecResult printed(int exit, String output) {
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        return result(exit, bytes, bytes.length, false);
    }

    @Test
    void showsWhatACommandPrintedUntilItsTimeWasUp() {
        byte[] output = "so far\n".getBytes(StandardCharsets.UTF_8);
        assertThat(own(false).describe(result(124, output, output.length, true)))
                .startsWith("<exception>An error occurred while executing the command: ")
                .contains("(5 s)</exception>\n<returncode>-1</returncode>\n")
                .endsWith("<output>\nso far\n</output>");
        assertThat(own(false).describeUnexecuted())
                .isEqualTo(
                        "<exception>action was not executed</exception>\n"
                                + "<returncode>-1</returncode>\n<output>\n</output>");
    }

    @Test
    void saysWhereTheMiddleOfAnOutputIsLost() {
        byte[] kept = "firstlast!".getBytes(StandardCharsets.UTF_8);
        assertThat(own(false).describe(result(0, kept, 1_000, false)))
                .contains("first\n[990 bytes were not kept]\nlast!");
    }

    @Test
    void handsInWhatFollowsTheSentinelByteForByte() {
        byte[] output = (" \n" + DONE + " \r\nä\n").getBytes(StandardCharsets.UTF_8);
        output[output.length - 2] = (byte) 0xff;
        Optional<HandedIn> handedIn = own(false).handedIn(result(0, output, output.length, false));
        assertThat(handedIn.orElseThrow().content()).containsExactly(0xc3, 0xff, '\n');
        assertThat(handedIn(printed(0, DONE))).isEmpty();
        assertThat(handedIn(printed(0, DONE + "\n" + "x".repeat(20)))).hasSize(20);
    }

    private static byte[] handedIn(ExecResult result) {
        return own(true).handedIn(result).orElseThrow().content();
    }

    @Test
    void keepsNothingOfASubmissionThatIsTooLong() {
        assertThat(handedIn(printed(0, DONE + "\n" + "x".repeat(21)))).isNull();
        byte[] start = (DONE + "\nx").getBytes(StandardCharsets.UTF_8);
        assertThat(handedIn(result(0, start, 1_000, false))).isNull();
    }

    @Test
    void goesOnWhenTheSentinelIsNotFirstOrItsCommandFailed() {
        assertThat(own(false).handedIn(printed(1, DONE))).isEmpty();
        assertThat(own(false).handedIn(printed(0, "warning\n" + DONE))).isEmpty();
        assertThat(own(false).handedIn(printed(0, DONE + "!"))).isEmpty();
    }

    @Test
    void findsATemplateThatAsksForWhatThereIsNotBeforeARun() {
        MiniSweRenderer.check(spec(true, false, MiniSweSpec.Texts.own(true)));
        MiniSweRenderer.check(spec(false, false, MiniSweSpec.Texts.own(false)));
        MiniSweSpec.Texts own = MiniSweSpec.Texts.own(false);
        MiniSweSpec.Texts texts =
                new MiniSweSpec.Texts(
                        own.system(), "a\n{{ tsak }}", own.observation(), own.malformed());
        assertThatThrownBy(() -> MiniSweRenderer.check(spec(false, false, texts)))
                .isInstanceOf(TemplateException.class)
                .hasMessage("the instance template, line 2: there is no value 'tsak'");
    }
}
