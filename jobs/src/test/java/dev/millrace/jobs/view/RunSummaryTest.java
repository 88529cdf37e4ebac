package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSummaryTest {
    private static final Path OUTPUT = Path.of("runs/demo-1");

    @Test
    void writesTheFieldsThatOthersRead(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("summary.json");
        RunSummary summary = summary(SampleRun.end(), RunOutcome.FINISHED);
        summary.write(file);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("state").asText()).isEqualTo("finished");
        assertThat(json.get("steps").asLong()).isEqualTo(10);
        assertThat(json.get("seed").asLong()).isEqualTo(7);
        assertThat(json.get("wallSeconds").asDouble()).isEqualTo(61.2);
        assertThat(json.at("/heldOutReward/before").asDouble()).isEqualTo(0.5);
        assertThat(json.at("/heldOutReward/after").asDouble()).isEqualTo(10 / 12.0);
        assertThat(json.get("offered").asLong())
                .isEqualTo(
                        json.get("trained").asLong()
                                + json.at("/droppedByCause/constant").asLong()
                                + json.at("/droppedByCause/stale").asLong()
                                + json.at("/droppedByCause/run_ended").asLong()
                                + json.get("open").asLong());
        assertThat(json.get("policyVersion").asText()).isEqualTo("v1.10");
        assertThat(json.get("peakRssBytes").asLong()).isEqualTo(2L << 30);
        assertThat(RunSummary.read(file)).isEqualTo(summary);
    }

    @Test
    void whatWasNotMeasuredIsNull(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("summary.json");
        summary(new RunView(Samples.SHAPE), RunOutcome.FAILED).write(file);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.at("/heldOutReward/before").isNull()).isTrue();
        assertThat(json.at("/heldOutReward/after").isNull()).isTrue();
        assertThat(json.at("/greedy/before").isNull()).isTrue();
    }

    @Test
    void everyFieldIsDocumented() throws Exception {
        String page = Files.readString(Path.of("../docs/summary.md"));
        assertThat(Arrays.stream(RunSummary.class.getRecordComponents()))
                .extracting(RecordComponent::getName)
                .allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
    }

    @Test
    void tellsAPersonWhatWasReached() {
        List<String> lines =
                SummaryText.lines(
                        summary(SampleRun.end(), RunOutcome.FINISHED),
                        OUTPUT,
                        new DisplayStyle(false, false, true));
        assertThat(String.join("\n", lines))
                .isEqualTo(
                        """
                        Millrace demo: finished, 10 of 10 steps in 1 min 01 s

                        Held-out tasks   mean reward [95 % interval] attempts, before and after
                          sampled        0.50 [0.25, 0.75] 12    →  0.83 [0.55, 0.95] 12
                          greedy         0.67 [0.21, 0.94] 3     →  1.00 [0.44, 1.00] 3
                          Before is after a warm-up: 52 supervised steps on demonstrations of
                          400 training tasks (55 % of them without one of the steps), until the mean
                          reward on training tasks was 0.46.

                        Training reward  0.38 → 0.84 (all groups of the first and last 3 batches)
                        Groups           22 offered = 13 trained + 3 dropped + 6 open
                          dropped        constant 1, run_ended 1, stale 1
                        Lag              mean 2.08, max 5 steps
                        Rejects          undecodable 1
                        Peak memory      2.0 GiB, without sandboxes

                        Output           runs/demo-1
                          summary.json   these figures and more (docs/summary.md)
                          ledger/        attempts, turns, groups, steps, rejects as Parquet
                          events.jsonl   publications, evaluations, starts and stops
                          config.yaml    the recipe as it was used
                        The web UI ended with the run.
                        Next             bin/millrace summarize --output runs/demo-1\
                        """);
    }

    @Test
    void saysHowToGoOnAfterAnInterruption() {
        assertThat(
                        SummaryText.lines(
                                summary(SampleRun.middle(), RunOutcome.INTERRUPTED),
                                OUTPUT,
                                new DisplayStyle(false, false, false)))
                .contains("Next             bin/millrace train --output runs/demo-1 --resume")
                .allSatisfy(line -> assertThat(line + ".").isASCII().hasSizeLessThanOrEqualTo(81));
    }

    private static RunSummary summary(RunView view, RunOutcome outcome) {
        WarmUpReport warmUp = new WarmUpReport(52, 400, 0.55, 0.45, 0.4609, 7.25);
        return RunSummary.of(
                view.status(60_000),
                new RunFacts(outcome, 7, "d1", warmUp, 61.2345, 2L << 30, OUTPUT, false, false));
    }
}
