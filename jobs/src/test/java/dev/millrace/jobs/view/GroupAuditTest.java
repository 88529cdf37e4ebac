package dev.millrace.jobs.view;

import static dev.millrace.jobs.view.Samples.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepAccounts;
import dev.millrace.udfs.model.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accounts as the topics tell them, without the gate. */
class GroupAuditTest {
    private static final PolicyVersion V0 = new PolicyVersion(1, 0);
    private final RunView view = new RunView(Samples.SHAPE);

    /** Step 1 of two groups is trained and published, and the run has ended. */
    private void oneGoodStep() {
        view.policy(Samples.announce(1, 0, 0), 0);
        view.policy(Samples.publication(1, 0), 0);
        for (int i = 0; i < 2; i++) {
            view.step(Samples.admitted(RUN + "/g" + i, 0, Lane.TRAIN), 0);
            view.group(Samples.mixed(i, V0, 0.5), 0);
            view.progress(Samples.taken(1, i, 0), 0);
        }
        view.policy(Samples.publication(1, 1), 0);
        view.group(GroupRecord.drained(RUN, ""), 0);
    }

    @Test
    void findsNothingWrongWithAGoodRun() {
        oneGoodStep();
        view.progress(balance(4, 2, Map.of("stale", 1L), 1), 0);
        view.readToTheEnd();
        assertThat(view.violations()).isEmpty();
        assertThat(view.status(0).accounts().violations()).isEmpty();
    }

    @Test
    void namesAGroupThatTaughtNothingButWasTrainedOn() {
        view.policy(Samples.publication(1, 1), 0);
        view.group(Samples.train(3, V0, Verdict.CONSTANT, "constant", 1.0), 0);
        view.progress(Samples.taken(1, 3, 0), 0);
        assertThat(view.violations()).containsExactly(RUN + "/g3 is CONSTANT but was taken");
    }

    @Test
    void namesTheGroupsOfAStepThatHasTooMany() {
        oneGoodStep();
        view.group(Samples.mixed(2, V0, 0.5), 0);
        view.progress(Samples.taken(1, 2, 0), 0);
        assertThat(view.violations()).hasSize(1);
        assertThat(view.violations().get(0)).contains("step 0", "/g0", "/g1", "/g2");
    }

    @Test
    void aStepThatLacksAGroupIsWrongOnceAllIsRead() {
        oneGoodStep();
        view.policy(Samples.publication(1, 2), 0);
        view.progress(Samples.taken(1, 7, 1), 0);
        assertThat(view.violations()).as("the rest may still come").isEmpty();
        view.readToTheEnd();
        assertThat(view.violations())
                .containsExactlyInAnyOrder(
                        RUN + "/g7 was taken but never admitted",
                        RUN + "/g7 was taken but never closed",
                        "step 1 was trained on [" + RUN + "/g7] only");
    }

    @Test
    void aBalanceOfTheGateThatDiffersIsWrong() {
        oneGoodStep();
        view.progress(balance(4, 3, Map.of(), 0), 0);
        assertThat(view.violations())
                .hasSize(2)
                .allSatisfy(v -> assertThat(v).startsWith("the balance of v1.1"));
    }

    @Test
    void aViolationThatTheGateRefusedIsANamedEventOnce(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("events.jsonl");
        try (EventLog log = EventLog.open(file)) {
            RunEvents events = new RunEvents(Samples.SHAPE, view, log);
            Reject reject =
                    new Reject(RUN, "admission", Reject.ACCOUNTS_VIOLATED, "v1.2", "run/g5 is odd");
            events.reject(reject, 7);
            events.reject(reject, 8);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("\"accounts_violated\"", "v1.2", "run/g5 is odd");
    }

    private static ProgressRecord balance(
            long offered, long trained, Map<String, Long> dropped, long open) {
        return ProgressRecord.of(
                RUN,
                new PolicyVersion(1, 1),
                new StepAccounts(offered, trained, dropped, open, List.of()));
    }
}
