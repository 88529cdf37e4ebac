package dev.millrace.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.export.RunFiles.Attempt;
import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunExportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOSTILE = "../../up\u001b[31m";

    @TempDir private Path folder;
    private Path run;
    private Path output;
    private RunFiles files;

    @BeforeEach
    void writeRun() throws IOException {
        run = Files.createDirectory(folder.resolve("run"));
        output = folder.resolve("jobs");
        files = new RunFiles(run);
    }

    @Test
    void anAttemptIsATrialWithItsTokensAndTimes() throws Exception {
        ContentRef played = files.trajectory("g0/a0", "ls", "a.py\n");
        files.group("g0", "fix-01", Attempt.submitted(1, played));
        journal();
        Path trial = export().get(0);

        JsonNode result = json(trial.resolve("result.json"));
        assertThat(result.get("task_name").asText()).isEqualTo("fix-01");
        assertThat(result.get("trial_name").asText()).isEqualTo(trial.getFileName().toString());
        assertThat(result.get("source").asText()).isEqualTo("train");
        assertThat(result.at("/task_id/path").asText()).isEqualTo("/tasks/train/one");
        assertThat(result.at("/agent_info/model_info/name").asText()).isEqualTo("mine-1-v1.3");
        assertThat(result.at("/verifier_result/rewards/reward").asDouble()).isEqualTo(1);
        assertThat(result.get("exception_info").isNull()).isTrue();
        assertThat(result.get("started_at").asText()).isEqualTo(at(0));
        assertThat(result.get("finished_at").asText()).isEqualTo(at(1300));
        assertThat(result.at("/environment_setup/started_at").asText()).isEqualTo(at(150));
        assertThat(result.at("/agent_execution/started_at").asText()).isEqualTo(at(290));
        assertThat(result.at("/agent_execution/finished_at").asText()).isEqualTo(at(800));
        assertThat(result.at("/verifier/started_at").asText()).isEqualTo(at(900));

        JsonNode trajectory = json(trial.resolve("agent/trajectory.json"));
        AtifRules.check(trajectory);
        assertThat(trajectory.at("/steps/0/message").asText()).isEqualTo("Repair it.");
        assertThat(trajectory.at("/steps/1/timestamp").asText()).isEqualTo(at(300));
        assertThat(trajectory.at("/steps/1/tool_calls/0/arguments/command").asText())
                .isEqualTo("ls");
        assertThat(trajectory.at("/steps/1/observation/results/0/content").asText())
                .isEqualTo("a.py\n");
        assertThat(trajectory.at("/steps/2/metrics/logprobs/0").asDouble()).isEqualTo(-0.25);
        assertThat(result.at("/agent_result/rollout_details/0/prompt_token_ids/1"))
                .isEqualTo(trajectory.at("/steps/2/metrics/prompt_token_ids"));
        assertThat(Files.readString(trial.resolve("verifier/reward.txt"))).isEqualTo("1.0\n");
        assertThat(trial.resolve("exception.txt")).doesNotExist();
    }

    @Test
    void whatFailedHasItsExceptionAndNoReward() throws Exception {
        ContentRef gone = files.trajectory("g0/a2", "ls", "");
        files.group(
                "g0",
                "fix-01",
                Attempt.failed("INFRA", "sandbox_create_failed", null),
                Attempt.failed("VERIFIER", "reward_missing", files.trajectory("g0/a1", "ls", "")),
                Attempt.submitted(0.5, gone));
        files.close();
        Files.delete(Path.of(URI.create(gone.uri())));
        ExportReport report = reports().get(0);
        assertThat(report).isEqualTo(new ExportReport(output.resolve(RunFiles.RUN), 3, 3, 0, 2, 2));

        JsonNode stats = json(output.resolve("mine-1/result.json")).get("stats");
        assertThat(stats.get("n_completed_trials").asInt()).isEqualTo(3);
        assertThat(stats.get("n_errored_trials").asInt()).isEqualTo(2);
        assertThat(stats.get("n_retries").asInt()).isEqualTo(3);
        JsonNode eval = stats.at("/evals/millrace__mine-1-v1.3__train");
        assertThat(eval.get("n_trials").asInt()).isEqualTo(1);
        assertThat(eval.at("/metrics/0/mean").asDouble()).isEqualTo(0.5);
        String infra = eval.at("/exception_stats/SandboxCreateFailedError/0").asText();
        String verifier = eval.at("/exception_stats/RewardFileNotFoundError/0").asText();
        Path lost = output.resolve("mine-1").resolve(infra);
        assertThat(Files.readString(lost.resolve("exception.txt")))
                .isEqualTo("SandboxCreateFailedError: INFRA sandbox_create_failed: why\n");
        assertThat(json(lost.resolve("result.json")).get("verifier_result").isNull()).isTrue();
        assertThat(lost.resolve("verifier")).doesNotExist();
        AtifRules.check(
                json(output.resolve("mine-1").resolve(verifier).resolve("agent/trajectory.json")));
    }

    @Test
    void nothingThatAnAgentWroteLeavesItsPlace() throws Exception {
        ContentRef played =
                files.trajectory("g0/a0", "printf '\u001b[2J'", "\u001b]0;x\u0007\u202e\n");
        files.group(
                "g0", HOSTILE, Attempt.submitted(1, played, "reward_number:\u001bkey=2", "plain"));
        Path trial = export().get(0);
        assertThat(trial.getParent()).isEqualTo(output.resolve("mine-1"));
        assertThat(trial.getFileName().toString()).matches("[A-Za-z0-9._-]+__[0-9a-f]{7}");
        JsonNode rewards = json(trial.resolve("verifier/reward.json"));
        assertThat(rewards.get("\ufffdkey").asDouble()).isEqualTo(2);
        try (Stream<Path> all = Files.walk(output)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.UTF_8);
                assertThat(text).doesNotContain("\u001b", "\\u001b", "\\u001B", "\u202e");
            }
        }
    }

    @Test
    void aRunThatWasMovedIsReadWhereItLies() throws Exception {
        files.group("g0", "t", Attempt.submitted(1, files.trajectory("g0/a0", "ls", "")));
        files.close();
        Path moved = Files.move(run, folder.resolve("moved"));
        assertThat(new RunExport(moved, output, "1").harbor((done, total) -> {}))
                .allMatch(report -> report.withoutTrajectory() == 0);
    }

    @Test
    void aLedgerWithoutTimesGivesNone() throws Exception {
        files.group("g0", "t", Attempt.failed("INFRA", "cancelled", null));
        JsonNode result = json(export().get(0).resolve("result.json"));
        assertThat(result.get("started_at").isNull()).isTrue();
        assertThat(result.at("/exception_info/exception_type").asText())
                .isEqualTo("CancelledError");
        assertThat(result.at("/exception_info/occurred_at").asText()).isNotEmpty();
    }

    @Test
    void smallLotsGiveTheSameAttempts() throws Exception {
        for (int group = 0; group < 5; group++) {
            files.group("g" + group, "t", Attempt.failed("INFRA", "cancelled", null));
        }
        journal();
        files.close();
        List<PlayedAttempt> alone = new ArrayList<>();
        List<PlayedAttempt> together = new ArrayList<>();
        LedgerReader ledger = new LedgerReader(run.resolve("ledger"));
        new LedgerAttempts(ledger, RunFiles.RUN, 1).forEach(alone::add);
        new LedgerAttempts(ledger, RunFiles.RUN).forEach(together::add);
        assertThat(alone).hasSize(5).isEqualTo(together);
        assertThat(alone.get(0).journal()).hasSize(9);
    }

    @Test
    void refusesWhatIsNoRunAndWhatIsThere() throws Exception {
        assertThatThrownBy(this::reports)
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("has no attempt of mine-1 yet");
        files.group("g0", "t", Attempt.failed("INFRA", "cancelled", null));
        export();
        assertThatThrownBy(this::reports)
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("is there already");
        assertThatThrownBy(() -> new RunExport(folder, output, "1").harbor((d, t) -> {}))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("holds no run");
    }

    /** Two tries; the first is of no interest. */
    private void journal() {
        files.line("g0/a0", "rollout", "admit", "ADMITTED", 0, 0);
        files.line("g0/a0", "rollout", "boot#1", "BOOTED", 50, 40);
        files.line("g0/a0", "rollout", "boot#2", "BOOTED", 200, 50);
        files.line("g0/a0", "rollout", "sample#2.0", "SAMPLED", 300, 10);
        files.line("g0/a0", "rollout", "exec#2.0", "EXECUTED", 500, 150);
        files.line("g0/a0", "rollout", "sample#2.1", "SAMPLED", 600, 20);
        files.line("g0/a0", "rollout", "capture#2", "CAPTURED", 800, 100);
        files.line("g0/a0", "grading", "admit", "ADMITTED", 850, 0);
        files.line("g0/a0", "grading", "grade#1", "GRADED", 1300, 400);
    }

    private List<Path> export() throws Exception {
        files.close();
        Path job = reports().get(0).folder();
        try (Stream<Path> entries = Files.list(job)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    private List<ExportReport> reports() throws Exception {
        return new RunExport(run, output, "1").harbor((done, total) -> {});
    }

    private static String at(long millis) {
        return Instant.ofEpochMilli(RunFiles.BEGIN + millis).toString();
    }

    private static JsonNode json(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }
}
