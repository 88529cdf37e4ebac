package dev.millrace.udfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.admission.Accounts;
import dev.millrace.udfs.group.IndexSet;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchBook;
import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.BatchState;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.MinibatchPreparation;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Old weights, full buffers and empty answers on their way into a minibatch. */
class StalenessTest {
    private static final int ACTIONS = 40_000;

    private static BatchBook book(BatchState state, long steps, int maxLag, boolean lockstep) {
        Lineage lineage = new Lineage();
        lineage.add(Samples.announced(state.epoch() + 1, state.epoch(), state.step()));
        BatchBook book =
                new BatchBook(
                        new BatchSettings(
                                Samples.RUN, 7, 4, 2, steps, maxLag, true, false, lockstep),
                        state,
                        lineage);
        book.claim(
                new EpochClaim(Samples.RUN, state.epoch() + 1, state.epoch(), state.step(), "n"));
        return book;
    }

    @Test
    void aGroupThatTookTenStepsIsDroppedOnce() {
        BatchBook book = book(BatchState.empty(), 20, 1, false);
        for (int i = 1; i <= 40; i++) {
            book.hear(Samples.group(i, Samples.policy(1, (i - 1) / 4), 1, 0));
        }
        assertThat(book.completeSteps()).isEqualTo(10);
        GroupRecord late = Samples.group(0, Samples.policy(1, 0), 1, 0);
        assertThat(book.hear(late).get(0).progress())
                .extracting(p -> p.kind() + " " + p.cause())
                .containsExactly("DROPPED stale");
        assertThat(book.hear(late).get(0).progress()).isEmpty();
    }

    @Test
    void pacingAloneKeepsStaleGroupsFewAndNoMinibatchIsOlderThanAllowed() {
        long stale = 0;
        long offered = 0;
        for (long seed = 0; seed < 20; seed++) {
            LoopSimulation loop = new LoopSimulation(seed, 0);
            assertThat(loop.run(ACTIONS, 0)).isTrue();
            Accounts accounts = loop.rollouts.book().accounts();
            stale += accounts.dropped().getOrDefault(BatchBook.STALE, 0L);
            offered += accounts.offered();
            assertThat(loop.learner.largestMeanLag()).isLessThanOrEqualTo(1);
        }
        assertThat(stale * 100).isLessThan(offered * 5);
    }

    @Test
    void anAttemptThatNeverEndsHoldsUpNoPublication() {
        LoopSimulation loop = new LoopSimulation(3, 0);
        loop.stuck = Samples.RUN + "/g0/a0";
        assertThat(loop.run(ACTIONS, 0)).as("it is still open").isFalse();
        assertThat(loop.learner.published()).isEqualTo(LoopSimulation.STEPS);
    }

    @Test
    void aSurplusGroupThatIsStillGradedHoldsUpNoStep() {
        BatchBook book = book(BatchState.empty(), 20, 1, false);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            GroupRecord group = Samples.group(i, Samples.policy(1, i / 4), 1, 0);
            int mixed = i + 1;
            book.hear(group).stream()
                    .filter(output -> output.minibatch() != null)
                    .forEach(output -> left.add(mixed));
        }
        assertThat(left).as("each leaves with its last group").containsExactly(2, 4, 6, 8);
        LoopSimulation loop = new LoopSimulation(3, 0);
        loop.stuck = Samples.RUN + "/g9/";
        assertThat(loop.run(ACTIONS, 0)).as("its grading goes on").isFalse();
        assertThat(loop.learner.published()).isEqualTo(LoopSimulation.STEPS);
    }

    @Test
    void aGroupOfEqualRewardsThatIsKeptCountsInTheLossByItsPenaltyAlone() {
        GroupRecord equal = Samples.group(0, Samples.policy(1, 0), 1, 1);
        GroupRecord kept =
                new GroupRecord(
                        equal.runId(),
                        false,
                        equal.lane(),
                        equal.groupId(),
                        0,
                        equal.admissionId(),
                        equal.task(),
                        equal.policy(),
                        "",
                        false,
                        Verdict.KEPT,
                        "",
                        1,
                        equal.attempts());
        BatchBook book = book(BatchState.empty(), 3, 1, false);
        assertThat(book.hear(equal).get(0).progress()).as("as it is it is dropped").isEmpty();
        BatchBook keeping = book(BatchState.empty(), 3, 1, false);
        keeping.hear(kept);
        MinibatchItem item = items(keeping).get(0);
        assertThat(item.advantage()).isZero();
        Trajectory said =
                new Trajectory(
                        item.attemptId(),
                        "adm",
                        new int[] {1, 2},
                        new byte[] {0, 1},
                        new float[] {0, -1},
                        List.of());
        float[] reference = {0, -0.5f};
        assertThat(MinibatchPreparation.arrays(said, item, reference, 0.1, 1).advantages()[1])
                .isNotZero();
    }

    @Test
    void aFullBatchThatWaitsForOneGroupGoesOnAfterARestore() {
        BatchBook before = book(BatchState.empty(), 3, 0, true);
        PolicyRef v0 = Samples.policy(1, 0);
        for (int i = 1; i <= 4; i++) {
            assertThat(before.hear(Samples.group(i, v0, 1, 0))).isEmpty();
        }
        BatchBook after = book(before.state(), 3, 0, true);
        List<BatchOutput> outputs = after.hear(Samples.group(0, v0, 1, 1));
        assertThat(outputs.stream().filter(o -> o.minibatch() != null)).hasSize(2);
        assertThat(after.completeSteps()).isEqualTo(1);
        for (int i = 5; i <= 8; i++) {
            after.hear(Samples.group(i, Samples.policy(2, 1), 1, 0));
        }
        assertThat(after.completeSteps()).isEqualTo(2);
        assertThat(new IndexSet(after.state().seen()).size()).isEqualTo(9);
    }

    @Test
    void anEmptyAnswerIsNoDatumAndLeavesTheOthersAsTheyAre() {
        GroupRecord group = Samples.group(0, Samples.policy(1, 0), 1, 0, 0);
        List<AttemptSummary> attempts = new ArrayList<>(group.attempts());
        AttemptSummary said = attempts.get(2);
        attempts.set(
                2,
                new AttemptSummary(
                        said.attemptId(),
                        2,
                        Outcome.FORMAT_ERRORS,
                        true,
                        0,
                        null,
                        List.of(),
                        said.trajectory(),
                        1,
                        0,
                        20,
                        said.oldestVersion(),
                        1,
                        1,
                        1));
        BatchBook book = book(BatchState.empty(), 3, 1, false);
        book.hear(
                new GroupRecord(
                        group.runId(),
                        false,
                        group.lane(),
                        group.groupId(),
                        0,
                        group.admissionId(),
                        group.task(),
                        group.policy(),
                        "",
                        false,
                        group.verdict(),
                        "",
                        group.rewardMean(),
                        attempts));
        BatchBook whole = book(BatchState.empty(), 3, 1, false);
        whole.hear(group);
        List<MinibatchItem> items = items(book);
        List<MinibatchItem> all = items(whole);
        assertThat(items)
                .extracting(MinibatchItem::attemptId)
                .containsExactly("run/g0/a0", "run/g0/a1", "run/g1/a0", "run/g1/a1");
        assertThat(items.get(0).advantage()).isEqualTo(all.get(0).advantage());
        assertThat(items.get(1).advantage()).isEqualTo(all.get(1).advantage());
    }

    private static List<MinibatchItem> items(BatchBook book) {
        return book.hear(Samples.group(1, Samples.policy(1, 0), 1, 0)).get(0).minibatch().items();
    }
}
