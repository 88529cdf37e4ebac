package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the gate makes of several trainers, one after the other or at once. */
class EpochsTest {
    private final AdmissionBook book = Books.of(100, 0);
    private int minted;

    private List<Admission> admit() {
        return book.admit(() -> "adm-" + minted++);
    }

    private void progress(ProgressRecord.Kind kind, long epoch, long index, long step) {
        String id = index < 0 ? "" : Samples.RUN + "/g" + index;
        book.progress(new ProgressRecord(Samples.RUN, kind, "learn", epoch, id, index, step, ""));
    }

    @Test
    void aPublicationOfATrainerThatWasReplacedIsIgnored() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        book.policy(Samples.announced(2, 1, 0));
        book.policy(Samples.published(1, 1, false));
        book.policy(Samples.published(1, 3, true));
        assertThat(book.newest()).isEqualTo(new PolicyVersion(1, 0));
        assertThat(book.exhausted()).isFalse();
        book.policy(Samples.published(2, 0, false));
        assertThat(admit())
                .extracting(a -> a.policy().version())
                .containsOnly(new PolicyVersion(2, 0));
    }

    @Test
    void theFirstSampleAfterARestoreAsksForTheRestoredVersion() {
        book.policy(Samples.announced(1, 0, 0));
        for (long step = 0; step <= 2; step++) {
            book.policy(Samples.published(1, step, false));
        }
        book.policy(Samples.announced(2, 1, 0));
        assertThat(admit()).as("v1.2 is two steps from where the trainer goes on").isEmpty();
        book.policy(Samples.published(2, 0, false));
        assertThat(admit())
                .extracting(a -> a.policy().version())
                .containsOnly(new PolicyVersion(2, 0));
    }

    /** The whole job goes on from a savepoint that no restart of the trainer alone went on from. */
    @Test
    void whatAnEpochThatWasLeftBehindSaidLastDoesNotHideWhatItsParentSaid() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        List<Admission> open = new ArrayList<>(admit());
        List<Long> taken = List.of(close(open).groupIndex(), close(open).groupIndex());
        taken.forEach(index -> progress(ProgressRecord.Kind.TAKEN, 1, index, 0));
        book.policy(Samples.published(1, 1, false));
        assertThat(book.accounts().trained()).isEqualTo(2);
        assertThat(admit()).hasSize(4);
        book.policy(Samples.announced(2, 1, 0));
        taken.forEach(index -> progress(ProgressRecord.Kind.TAKEN, 2, index, 0));
        assertThat(book.accounts().trained()).isZero();
        book.policy(Samples.announced(3, 1, 1));
        book.policy(Samples.published(3, 1, false));
        assertThat(book.accounts().trained()).isEqualTo(2);
        close(open);
        close(open);
        taken.forEach(index -> progress(ProgressRecord.Kind.TAKEN, 3, index + 2, 1));
        book.policy(Samples.published(3, 2, false));
        assertThat(book.accounts().trained()).isEqualTo(4);
        assertThat(admit())
                .extracting(a -> a.policy().version())
                .containsOnly(new PolicyVersion(3, 2));
    }

    @Test
    void anotherTrainerBehindTheLastStepTakesTheEndBack() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        book.policy(Samples.published(1, 3, true));
        assertThat(book.exhausted()).isTrue();
        assertThat(admit()).isEmpty();
        book.policy(Samples.announced(2, 1, 1));
        assertThat(book.exhausted()).isFalse();
        book.policy(Samples.published(2, 1, false));
        assertThat(admit()).isNotEmpty();
    }

    @Test
    void aTrainerThatWasReplacedDoesNotAnswerTheMarkBehindTheLastGroup() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 3, true));
        book.policy(Samples.announced(2, 1, 3));
        book.policy(Samples.published(2, 3, true));
        book.markDrained();
        progress(ProgressRecord.Kind.DRAINED, 1, -1, 3);
        assertThat(book.passedBy(List.of("learn"))).isFalse();
        progress(ProgressRecord.Kind.DRAINED, 2, -1, 3);
        assertThat(book.passedBy(List.of("learn"))).isTrue();
    }

    @Test
    void aGroupWhoseVersionIsServedNoMoreIsPlayedAgainWholeUnderTheNewest() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        List<Admission> first = admit();
        Admission gone = first.get(0);
        book.policy(Samples.published(1, 1, false));
        book.closed(repinned(gone));
        List<Admission> again = admit();
        assertThat(again)
                .hasSize(2)
                .allSatisfy(
                        a -> {
                            assertThat(a.task()).isEqualTo(gone.task());
                            assertThat(a.policy().version()).isEqualTo(new PolicyVersion(1, 1));
                            assertThat(a.groupIndex()).isEqualTo(4);
                        });
        assertThat(book.accounts().dropped()).containsEntry("repinned", 1L);
    }

    /** A trainer that comes back after a while finds the run as it left it. */
    @Test
    void doesNotStarveOfGroupsWhoseVersionIsServedNoMore() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        int many = (Books.STARVATION_LIMIT + 1) * 2;
        for (int i = 0; i < many; i++) {
            Admission gone = admit().get(0);
            book.closed(repinned(gone));
        }
        assertThat(book.starved()).isFalse();
        assertThat(book.endsEarly()).isEmpty();
        assertThat(book.accounts().dropped()).containsEntry("repinned", (long) many);
    }

    @Test
    void goesOnHoweverManyGroupsAreDroppedAsStale() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        List<Admission> open = new ArrayList<>(admit());
        int stale = 3 * 2 * 2;
        for (int i = 0; i < stale; i++) {
            drop(open);
            open.addAll(admit());
            assertThat(book.accounts().open()).as("after %d drops", i + 1).isEqualTo(4);
        }
        for (long step = 0; step < 3; step++) {
            for (int i = 0; i < 2; i++) {
                Admission next = close(open);
                progress(ProgressRecord.Kind.TAKEN, 1, next.groupIndex(), step);
            }
            book.policy(Samples.published(1, step + 1, step == 2));
            open.addAll(admit());
        }
        Accounts accounts = book.accounts();
        assertThat(accounts.dropped()).containsEntry("stale", (long) stale);
        assertThat(accounts.trained()).isEqualTo(6);
        assertThat(accounts.offered()).isEqualTo(stale + 6 + accounts.open());
    }

    private void drop(List<Admission> open) {
        Admission old = close(open);
        book.progress(
                new ProgressRecord(
                        Samples.RUN,
                        ProgressRecord.Kind.DROPPED,
                        "learn",
                        1,
                        old.groupId(),
                        old.groupIndex(),
                        0,
                        "stale"));
    }

    /** Closes the oldest open group as mixed. */
    private Admission close(List<Admission> open) {
        Admission next = open.get(0);
        open.removeIf(a -> a.groupId().equals(next.groupId()));
        book.closed(
                Samples.closed(
                        next.lane(),
                        next.groupId(),
                        next.groupIndex(),
                        next.admissionId(),
                        "",
                        next.policy(),
                        1,
                        0));
        return next;
    }

    @Test
    void aGroupThatGetsOldWhileItsAttemptsRunIsDroppedOnceAndItsSlotsComeBack() {
        AdmissionBook book = Books.of(4, 0);
        book.policy(Samples.published(1, 0, false));
        List<Admission> open = book.admit(() -> "adm");
        assertThat(open).hasSize(4);
        StepEvent over =
                StepEvent.of(
                        "rollout",
                        "r0",
                        "run/g1/a0",
                        "adm",
                        "capture#1",
                        StepEvent.Kind.CAPTURED,
                        0);
        book.ended(over);
        for (int step = 1; step <= 2; step++) {
            book.policy(Samples.published(1, step, false));
        }
        book.closed(Samples.group(1, Samples.policy(1, 0), 1, 0));
        for (int again = 0; again < 2; again++) {
            book.progress(
                    new ProgressRecord(
                            Samples.RUN,
                            ProgressRecord.Kind.DROPPED,
                            "learn",
                            1,
                            "run/g1",
                            1,
                            2,
                            "stale"));
            book.closed(Samples.group(1, Samples.policy(1, 0), 1, 0));
        }
        assertThat(book.accounts().dropped()).containsExactly(Map.entry("stale", 1L));
        assertThat(book.admit(() -> "next")).extracting(Admission::groupIndex).doesNotContain(1L);
        Accounts accounts = book.accounts();
        assertThat(accounts.offered())
                .isEqualTo(accounts.trained() + accounts.droppedTotal() + accounts.open());
    }

    @Test
    void everyAttemptHasASeedOfItsOwnWhichTheRunsIdDoesNotChange() {
        book.policy(Samples.published(0, 0, false));
        List<Admission> admitted = admit();
        assertThat(admitted).extracting(Admission::seed).doesNotHaveDuplicates();
        Admission first = admitted.get(0);
        String renamed = first.groupId().replace(Samples.RUN, "another-run");
        assertThat(Seeds.ofAttempt(42, renamed, first.attemptIndex())).isEqualTo(first.seed());
    }

    private static GroupRecord repinned(Admission gone) {
        GroupRecord group =
                Samples.closed(
                        gone.lane(),
                        gone.groupId(),
                        gone.groupIndex(),
                        gone.admissionId(),
                        "",
                        gone.policy(),
                        1,
                        0);
        return new GroupRecord(
                group.runId(),
                false,
                group.lane(),
                group.groupId(),
                group.groupIndex(),
                group.admissionId(),
                gone.task(),
                group.policy(),
                "",
                false,
                Verdict.FAILED,
                GroupVerdict.REPINNED,
                0,
                group.attempts());
    }
}
