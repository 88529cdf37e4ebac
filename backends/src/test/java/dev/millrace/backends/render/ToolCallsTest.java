package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.Action;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolCallsTest {
    private static final ToolCalls XML = new ToolCalls(true);
    private static final ToolCalls JSON = new ToolCalls(false);

    private static String call(String inside) {
        return "why\n</think>\n\n<tool_call>\n" + inside + "\n</tool_call>";
    }

    @Test
    void readsACommand() {
        Action read =
                XML.read(
                        call(
                                """
                                <function=bash>
                                <parameter=command>
                                cat <<'E'
                                </parameter>

                                E
                                </parameter>
                                </function>\
                                """));
        assertThat(read)
                .isEqualTo(new Action(Action.Kind.COMMAND, "cat <<'E'\n</parameter>\n\nE", ""));
        assertThat(JSON.read(call("{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\\n\"}}")))
                .isEqualTo(new Action(Action.Kind.COMMAND, "ls\n", ""));
    }

    @Test
    void readsSeveralCommandsInTheirOrder() {
        String two = call(bash("ls")) + "\n<tool_call>\n" + bash("cat a\ncat b") + "</tool_call>";
        assertThat(XML.read(two)).isEqualTo(Action.commands(List.of("ls", "cat a\ncat b")));
        assertThat(XML.read(two).command()).isEqualTo("ls");
        assertThat(XML.read(two).more()).containsExactly("cat a\ncat b");
    }

    @Test
    void runsNoneOfSeveralCallsWhenOneIsMalformed() {
        malformed(XML.read(call(bash("ls")) + "<tool_call>rm -r .</tool_call>"), "must begin with");
        malformed(XML.read(call(bash("ls")) + "<tool_call>" + bash("ls")), "never closed");
    }

    private static String bash(String command) {
        return "<function=bash>\n<parameter=command>\n" + command + "\n</parameter>\n</function>";
    }

    @Test
    void takesAnAnswerWithoutCallsForTheEnd() {
        assertThat(XML.read("<tool_call> in thought\n</think>\n\nDone.").kind())
                .isEqualTo(Action.Kind.FINAL);
        assertThat(XML.read("").kind()).isEqualTo(Action.Kind.FINAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ls | must begin with <function=bash>",
                "so: <function=bash><parameter=command>ls</parameter></function> | must begin",
                "<function=python><parameter=command>x</parameter></function> | no function python",
                "<function=bash><parameter=command>ls</parameter> | must end with </function>",
                "<function=bash><parameter=command>ls</parameter></function> so | must end with",
                "<function=bash></function> | parameter command is missing",
                "<function=bash>ls</function> | parameter command is missing",
                "<function=bash><parameter=cmd>ls</parameter></function> | no parameter cmd",
                "<function=bash><parameter=command>ls</function> | end with </parameter>",
                "<function=bash><parameter=command></parameter></function> | command is empty",
                "<function=bash><parameter=command>a</parameter><parameter=timeout>1</parameter></function>"
                    + " | more than one parameter",
                "{\"name\":\"bash\"} | must begin with <function=bash>"
            })
    void tellsTheModelWhatIsWrongWithAnXmlCall(String inside, String why) {
        malformed(XML.read(call(inside)), why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ls} | must be one JSON object",
                "[1] | must be one JSON object",
                "{\"name\":\"bash\"} {} | must be one JSON object",
                "{\"name\":\"sh\",\"arguments\":{\"command\":\"ls\"}} | must be bash",
                "{\"arguments\":{\"command\":\"ls\"}} | must be bash",
                "{\"name\":\"bash\"} | must hold command",
                "{\"name\":\"bash\",\"arguments\":{\"command\":1}} | must hold command",
                "{\"name\":\"bash\",\"arguments\":{\"command\":\"ls\",\"x\":1}} | no argument but",
                "{\"name\":\"bash\",\"arguments\":{\"command\":\" \"}} | command is empty",
                "{\"name\":\"bash\",\"arguments\":{\"command\":\"a\\u0000\"}} | holds a NUL"
            })
    void tellsTheModelWhatIsWrongWithAJsonCall(String inside, String why) {
        malformed(JSON.read(call(inside)), why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<tool_call>ls | never closed",
                "ls</tool_call> | without <tool_call>",
                "<tool_call>a<tool_call>b</tool_call></tool_call> | inside"
            })
    void tellsTheModelWhatIsWrongAroundACall(String said, String why) {
        malformed(XML.read(said), why);
    }

    private static void malformed(Action read, String why) {
        assertThat(read.kind()).isEqualTo(Action.Kind.FORMAT_ERROR);
        assertThat(read.command()).isEmpty();
        assertThat(read.feedback()).contains(why);
    }
}
