package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {
    @TempDir private Path folder;

    @Test
    void writesPublicationsEvaluationsAndFailedGroups() throws IOException {
        play();
        List<JsonNode> events = events();
        assertThat(events)
                .extracting(event -> event.get("event").asText())
                .containsOnly("trainer_start", "evaluation", "publication", "group_failed")
                .hasSize(1 + 2 + 5 + 1);
        JsonNode publication = named(events, "publication/v1.3");
        assertThat(publication.get("time").asText()).isEqualTo("1970-01-01T00:00:18Z");
        assertThat(publication.get("loss").asDouble()).isEqualTo(-0.02125);
        assertThat(publication.has("ratio")).as("a metric that is not a number").isFalse();
        JsonNode evaluation = named(events, "evaluation/v1.0/sampled");
        assertThat(evaluation.get("reward").asDouble()).isEqualTo(0.5);
        assertThat(evaluation.get("attempts").asInt()).isEqualTo(12);
        assertThat(named(events, "group_failed/demo-1/g40").get("cause").asText())
                .isEqualTo("too_few_valid");
    }

    @Test
    void aSecondStartRepeatsNoEventAndMendsACutLine() throws IOException {
        play();
        int first = events().size();
        Files.writeString(file(), "{\"time\":\"cut", StandardOpenOption.APPEND);
        play();
        List<String> lines = Files.readAllLines(file());
        assertThat(lines).hasSize(first + 1).endsWith("{\"time\":\"cut");
        try (EventLog log = EventLog.open(file())) {
            log.write(0, "stop", "stop/1", Map.of("state", "finished"));
        }
        assertThat(Files.readAllLines(file()).get(first + 1)).contains("\"stop/1\"");
    }

    private void play() throws IOException {
        try (EventLog log = EventLog.open(file())) {
            RunEvents events = new RunEvents(Samples.SHAPE, new RunView(Samples.SHAPE), log);
            SampleRun.feedMiddle(events);
            events.group(
                    Samples.train(40, new PolicyVersion(1, 1), Verdict.FAILED, "too_few_valid", 0),
                    9000);
        }
    }

    private Path file() {
        return folder.resolve("events.jsonl");
    }

    private List<JsonNode> events() throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (String line : Files.readAllLines(file())) {
            events.add(new ObjectMapper().readTree(line));
        }
        return events;
    }

    private static JsonNode named(List<JsonNode> events, String id) {
        return events.stream()
                .filter(event -> event.get("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
