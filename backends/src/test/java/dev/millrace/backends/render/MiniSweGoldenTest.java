package dev.millrace.backends.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.udfs.agent.FencedActions;
import dev.millrace.udfs.agent.Submission;
import dev.millrace.udfs.agent.Template;
import dev.millrace.udfs.agent.TemplateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against what mini-swe-agent 2.4.6 made of the same inputs; {@code make_cases.py} beside the cases
 * says how.
 */
class MiniSweGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final MiniSweTexts TEXTS = new MiniSweTexts(MiniSweSpec.own(false));

    private static List<JsonNode> cases(String kind) throws IOException {
        try (Stream<String> lines =
                Files.lines(Tokenizers.resource("mini-swe-agent/cases.jsonl"))) {
            List<JsonNode> cases =
                    lines.map(MiniSweGoldenTest::read)
                            .filter(each -> each.path("kind").asText().equals(kind))
                            .toList();
            assertThat(cases).isNotEmpty();
            return cases;
        }
    }

    private static JsonNode read(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "calls", "submission", "observation", "template"})
    void doesAsMiniSweAgentDoes(String kind) throws Exception {
        for (JsonNode each : cases(kind)) {
            switch (kind) {
                case "fence" -> fence(each);
                case "calls" -> calls(each);
                case "submission" -> submission(each);
                case "observation" -> observation(each);
                default -> template(each);
            }
        }
        assertThat(TEXTS.unexecuted()).isEqualTo(cases("unexecuted").get(0).path("text").asText());
    }

    private static void fence(JsonNode given) {
        List<String> found = FencedActions.find(given.path("text").asText(), "mswea_bash_command");
        assertThat(found).as(given.toString()).hasSize(given.path("count").asInt());
        if (found.size() == 1) {
            assertThat(found).containsExactly(given.path("action").asText());
        }
    }

    private static void calls(JsonNode given) {
        List<String> commands = new ArrayList<>();
        try {
            for (JsonNode call : given.path("calls")) {
                commands.add(BashCalls.command(call.get(0).asText(), arguments(call)));
            }
            assertThat(JSON.<JsonNode>valueToTree(commands)).isEqualTo(given.path("commands"));
        } catch (MalformedCallException | JsonProcessingException e) {
            assertThat(given.path("commands").isNull()).as(given.toString()).isTrue();
        }
    }

    private static JsonNode arguments(JsonNode call) throws JsonProcessingException {
        return BashCalls.JSON.readTree(call.get(1).asText());
    }

    private static void submission(JsonNode given) {
        String output = given.path("output").asText();
        OptionalInt begin = Submission.begin(output, given.path("code").asInt());
        assertThat(begin.isEmpty())
                .as(given.toString())
                .isEqualTo(given.path("submission").isNull());
        begin.ifPresent(
                at ->
                        assertThat(output.substring(at))
                                .isEqualTo(given.path("submission").asText()));
    }

    private static void observation(JsonNode given) throws Exception {
        String unit = given.path("unit").asText();
        int length = given.path("length").asInt();
        int codePoints = unit.codePointCount(0, unit.length());
        String text = unit.repeat(length / codePoints) + "z".repeat(length % codePoints);
        String shown =
                Template.parse("observation", MiniSweSpec.own(true).texts().observation())
                        .render(
                                Map.of(
                                        "output",
                                        Map.of(
                                                "output", text,
                                                "returncode", given.path("code").asInt(),
                                                "exception_info",
                                                        given.path("exception").asText())));
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(shown.getBytes(StandardCharsets.UTF_8));
        assertThat(HexFormat.of().formatHex(digest))
                .as(unit + " " + length)
                .isEqualTo(given.path("sha256").asText());
        if (given.path("exception").asText().isEmpty()) {
            byte[] output = text.getBytes(StandardCharsets.UTF_8);
            ExecResult result =
                    new ExecResult(
                            given.path("code").asInt(), output, output.length, false, false, 1, "");
            assertThat(TEXTS.observation(result)).isEqualTo(shown);
        }
    }

    private static void template(JsonNode given) {
        String name = given.path("name").asText();
        String text = given.path("template").asText();
        Map<?, ?> values = JSON.convertValue(given.path("values"), Map.class);
        if (given.path("text").isNull()) {
            assertThatThrownBy(() -> render(text, values))
                    .as(given.toString())
                    .isInstanceOf(TemplateException.class);
        } else {
            assertThat(render(text, values))
                    .as(name + given)
                    .isEqualTo(given.path("text").asText());
        }
    }

    @SuppressWarnings("unchecked") // names of JSON objects are texts
    private static String render(String text, Map<?, ?> values) {
        return Template.parse("template", text).render((Map<String, ?>) values);
    }
}
