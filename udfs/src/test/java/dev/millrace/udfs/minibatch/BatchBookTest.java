package dev.millrace.udfs.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchBookTest {
    private static final BatchSettings SETTINGS =
            new BatchSettings(Samples.RUN, 7, 4, 2, 2, 1, true, false);
    private final Lineage lineage = new Lineage();
    private BatchBook book = opened(BatchState.empty(), 1, 0, 0);

    private BatchBook opened(BatchState state, long epoch, long parent, long fork) {
        lineage.add(Samples.announced(epoch, parent, fork));
        BatchBook opened = new BatchBook(SETTINGS, state, lineage);
        opened.claim(new EpochClaim(Samples.RUN, epoch, parent, fork, "n"));
        return opened;
    }

    private BatchOutput mixed(long index, PolicyRef policy) {
        return book.take(Samples.group(index, policy, 1, 0));
    }

    private static List<String> causes(BatchOutput output) {
        return output.progress().stream().map(p -> p.kind() + " " + p.cause()).toList();
    }

    @Test
    void letsAMinibatchGoAsSoonAsItIsFull() {
        PolicyRef v0 = Samples.policy(1, 0);
        assertThat(mixed(3, v0).minibatch()).isNull();
        Minibatch first = mixed(0, v0).minibatch();
        assertThat(first.groupIds()).containsExactly("run/g3", "run/g0");
        assertThat(first.minibatchId()).isEqualTo("run/e1/s0/m0");
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.items()).hasSize(4);
        assertThat(first.normaliserTokens()).isEqualTo(40);
        assertThat(first.rewardMean()).isEqualTo(0.5);
        mixed(1, v0);
        assertThat(mixed(2, v0).minibatch().minibatchId()).isEqualTo("run/e1/s0/m1");
        assertThat(book.completeSteps()).isEqualTo(1);
    }

    @Test
    void takesTheFirstRecordOfAGroupWhateverItSays() {
        PolicyRef v0 = Samples.policy(1, 0);
        book.take(Samples.group(0, v0, 1, 1));
        assertThat(mixed(0, v0)).isEqualTo(BatchOutput.NOTHING);
        mixed(1, v0);
        assertThat(mixed(1, v0)).isEqualTo(BatchOutput.NOTHING);
    }

    @Test
    void dropsAGroupOnceWhenItsWeightsAreTooOldAtTheMomentItIsTaken() {
        PolicyRef v0 = Samples.policy(1, 0);
        BatchBook strict = new BatchBook(lagging(0), book.state(), lineage);
        fill(strict, 0, 4, v0);
        BatchOutput late = strict.take(Samples.group(4, v0, 1, 0));
        assertThat(causes(late)).containsExactly("DROPPED stale");
        assertThat(late.progress().get(0).step()).isEqualTo(1);
        assertThat(strict.take(Samples.group(4, v0, 1, 0)).progress()).isEmpty();
    }

    @Test
    void countsLagFromTheOldestTokenThatCounts() {
        BatchBook strict = new BatchBook(lagging(0), book.state(), lineage);
        fill(strict, 0, 4, Samples.policy(1, 0));
        GroupRecord group = Samples.group(4, Samples.policy(1, 1), 1, 0);
        assertThat(causes(strict.take(group))).containsExactly("TAKEN ");
        GroupRecord old = Samples.group(5, Samples.policy(1, 0), 1, 0);
        GroupRecord repinned =
                new GroupRecord(
                        old.runId(),
                        false,
                        old.lane(),
                        old.groupId(),
                        5,
                        old.admissionId(),
                        old.task(),
                        Samples.policy(1, 1),
                        "",
                        false,
                        old.verdict(),
                        "",
                        0.5,
                        old.attempts());
        assertThat(causes(strict.take(repinned))).containsExactly("DROPPED stale");
    }

    @Test
    void takesNothingAfterTheLastStep() {
        for (int i = 0; i < 8; i++) {
            mixed(i, Samples.policy(1, i / 4));
        }
        BatchOutput surplus = mixed(8, Samples.policy(1, 2));
        assertThat(causes(surplus)).containsExactly("DROPPED surplus");
        assertThat(surplus.minibatch()).isNull();
    }

    @Test
    void answersTheMarkBehindTheLastGroupAndDropsWhatFillsNoMinibatch() {
        mixed(0, Samples.policy(1, 0));
        BatchOutput drained = book.take(GroupRecord.drained(Samples.RUN, ""));
        assertThat(causes(drained)).containsExactly("DROPPED surplus", "DRAINED ");
    }

    @Test
    void dropsAStepThatNeverBecameCompleteAlsoWhatOfItHasLeft() {
        PolicyRef v0 = Samples.policy(1, 0);
        mixed(0, v0);
        assertThat(mixed(1, v0).minibatch()).isNotNull();
        mixed(2, v0);
        BatchOutput drained = book.take(GroupRecord.drained(Samples.RUN, GroupRecord.STARVED));
        assertThat(drained.progress().stream().map(p -> p.groupId() + " " + p.cause()))
                .containsExactly("run/g0 surplus", "run/g1 surplus", "run/g2 surplus", " ");
    }

    @Test
    void makesTheSameMinibatchesWithAndWithoutARestoreInBetween() {
        PolicyRef v0 = Samples.policy(1, 0);
        List<List<String>> straight = new ArrayList<>();
        List<List<String>> restored = new ArrayList<>();
        BatchBook other = opened(BatchState.empty(), 2, 1, 0);
        for (int i = 0; i < 8; i++) {
            note(straight, mixed(i, v0));
            note(restored, other.take(Samples.group(i, v0, 1, 0)));
            long epoch = other.epoch() + 1;
            other = opened(other.state(), epoch, epoch - 1, other.completeSteps());
        }
        assertThat(restored).isEqualTo(straight).hasSize(4);
    }

    @Test
    void saysUnderANewEpochAgainWhatItSaidSinceTheStepBegan() {
        for (int i = 0; i < 5; i++) {
            mixed(i, Samples.policy(1, 0));
        }
        lineage.add(Samples.announced(2, 1, 1));
        BatchBook restored = new BatchBook(SETTINGS, book.state(), lineage);
        List<ProgressRecord> said = restored.claim(new EpochClaim(Samples.RUN, 2, 1, 1, "n"));
        assertThat(said).hasSize(1);
        assertThat(said.get(0).groupId()).isEqualTo("run/g4");
        assertThat(said.get(0).epoch()).isEqualTo(2);
        assertThat(said.get(0).step()).isEqualTo(1);
    }

    @Test
    void givesNoDatumToAttemptsThatAreNotValid() {
        GroupRecord group = Samples.group(0, Samples.policy(1, 0), 1, 0, 0);
        var attempts = new ArrayList<>(group.attempts());
        attempts.set(2, Samples.attempt("run/g0", 2, false, 0, Samples.policy(1, 0).version()));
        GroupRecord partly =
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
                        0.5,
                        attempts);
        book.take(partly);
        Minibatch minibatch = mixed(1, Samples.policy(1, 0)).minibatch();
        assertThat(minibatch.items().stream().map(MinibatchItem::attemptId))
                .containsExactly("run/g0/a0", "run/g0/a1", "run/g1/a0", "run/g1/a1");
        assertThat(minibatch.items().get(0).advantage()).isEqualTo(0.5 / (Math.sqrt(0.5) + 1e-6));
    }

    private static BatchSettings lagging(int maxLag) {
        return new BatchSettings(Samples.RUN, 7, 4, 2, 2, maxLag, true, false);
    }

    private static void fill(BatchBook book, int from, int to, PolicyRef policy) {
        for (int i = from; i < to; i++) {
            book.take(Samples.group(i, policy, 1, 0));
        }
    }

    private static void note(List<List<String>> minibatches, BatchOutput output) {
        if (output.minibatch() != null) {
            minibatches.add(output.minibatch().groupIds());
        }
    }
}
