package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionBookTest {
    private final List<Admission> all = new ArrayList<>();
    private int minted;
    private AdmissionBook book = Books.of(100, 0);

    private String nextAdmissionId() {
        return "adm-" + minted++;
    }

    private Set<String> admit() {
        List<Admission> admitted = book.admit(this::nextAdmissionId);
        all.addAll(admitted);
        Set<String> groups = new LinkedHashSet<>();
        admitted.forEach(a -> groups.add(a.groupId()));
        return groups;
    }

    private void play(String groupId, double... rewards) {
        Admission first =
                all.stream().filter(a -> a.groupId().equals(groupId)).findFirst().orElseThrow();
        book.closed(
                Samples.closed(
                        first.lane(),
                        groupId,
                        first.groupIndex(),
                        first.admissionId(),
                        first.evalRound(),
                        first.policy(),
                        rewards));
    }

    private void taken(long epoch, long index, long step) {
        report(ProgressRecord.Kind.TAKEN, epoch, index, step, "");
    }

    private void report(ProgressRecord.Kind kind, long epoch, long index, long step, String cause) {
        String id = Samples.RUN + "/g" + index;
        book.progress(
                new ProgressRecord(Samples.RUN, kind, "learn", epoch, id, index, step, cause));
    }

    private StepEvent event(String attemptId, String admissionId, StepEvent.Kind kind) {
        return StepEvent.of("rollout", "r0", attemptId, admissionId, "x", kind, 0);
    }

    private void restore() {
        ObjectMapper json = new ObjectMapper();
        try {
            String kept = json.writeValueAsString(book.state());
            book =
                    new AdmissionBook(
                            Books.settings(100, 0), json.readValue(kept, AdmissionState.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void admitsNothingBeforeThereIsAPolicy() {
        assertThat(admit()).isEmpty();
    }

    @Test
    void admitsAsManyGroupsAsTheLagAllows() {
        book.policy(Samples.published(1, 0, false));
        assertThat(admit()).containsExactly("run/g0", "run/g1", "run/g2", "run/g3");
        assertThat(admit()).isEmpty();
    }

    @Test
    void admitsOneMoreForEachThatIsDroppedOrUsedInAPublishedVersion() {
        book.policy(Samples.published(1, 0, false));
        admit();
        play("run/g0", 1, 1);
        assertThat(admit()).containsExactly("run/g4");
        play("run/g1", 1, 0);
        assertThat(admit()).isEmpty();
        taken(1, 1, 0);
        assertThat(admit()).isEmpty();
        book.policy(Samples.published(1, 1, false));
        assertThat(admit()).containsExactly("run/g5");
        play("run/g2", 1, 0);
        report(ProgressRecord.Kind.DROPPED, 1, 2, 1, "stale");
        assertThat(admit()).containsExactly("run/g6");
        Accounts accounts = book.accounts();
        assertThat(accounts.offered()).isEqualTo(7);
        assertThat(accounts.trained()).isEqualTo(1);
        assertThat(accounts.dropped()).containsEntry("stale", 1L);
        assertThat(accounts.dropped()).containsEntry("constant_reward", 1L);
        assertThat(accounts.open()).isEqualTo(4);
    }

    @Test
    void waitsForFreeSlotsAndSpreadsAttemptsOverRoutes() {
        book = Books.of(3, 0);
        book.policy(Samples.published(1, 0, false));
        assertThat(admit()).containsExactly("run/g0", "run/g1");
        assertThat(all.stream().map(Admission::route)).containsExactly("r0", "r1", "r2", "r0");
        book.ended(event("run/g0/a0", "other", StepEvent.Kind.CAPTURED));
        assertThat(admit()).isEmpty();
        book.ended(event("run/g0/a0", "adm-0", StepEvent.Kind.CAPTURED));
        book.ended(event("run/g0/a0", "adm-0", StepEvent.Kind.CAPTURED));
        assertThat(book.occupiedSlots()).isEqualTo(3);
        book.ended(event("run/g0/a1", "adm-0", StepEvent.Kind.FAILED));
        assertThat(admit()).isEmpty();
        book.ended(event("run/g0/a1", "adm-0", StepEvent.Kind.FAILED));
        assertThat(admit()).containsExactly("run/g2");
    }

    @Test
    void playsTheCatalogueInTheSeededOrderAndShufflesEveryPassAnew() {
        book.policy(Samples.published(1, 0, false));
        List<String> played = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            admit();
            play("run/g" + i, 0, 0);
        }
        all.stream()
                .filter(a -> a.attemptIndex() == 0 && a.groupIndex() < 10)
                .forEach(a -> played.add(a.task().taskId()));
        List<String> expected = new ArrayList<>();
        for (long pass = 0; pass < 2; pass++) {
            Arrays.stream(new PythonRandom(42 + pass).permutation(5))
                    .forEach(i -> expected.add("t" + i));
        }
        assertThat(played).isEqualTo(expected);
    }

    @Test
    void stopsOnceWhatIsMixedCoversAllRemainingSteps() {
        book.policy(Samples.published(1, 2, false));
        admit();
        play("run/g0", 1, 0);
        play("run/g1", 1, 0);
        play("run/g2", 0, 0);
        assertThat(admit()).isEmpty();
        report(ProgressRecord.Kind.DROPPED, 1, 0, 2, "stale");
        assertThat(admit()).containsExactly("run/g4", "run/g5");
    }

    @Test
    void aForkTakesBackWhatItsParentTrainedBeyondIt() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 0, false));
        admit();
        for (int i = 0; i < 4; i++) {
            play("run/g" + i, 1, 0);
            taken(1, i, i / 2);
        }
        book.policy(Samples.published(1, 2, false));
        assertThat(book.accounts().trained()).isEqualTo(4);
        book.policy(Samples.announced(2, 1, 1));
        assertThat(book.accounts().open()).isEqualTo(2);
        book.policy(Samples.published(2, 1, false));
        assertThat(book.accounts().trained()).isEqualTo(2);
        taken(2, 2, 1);
        taken(2, 3, 1);
        book.policy(Samples.published(2, 2, false));
        assertThat(book.accounts().trained()).isEqualTo(4);
    }

    @Test
    void adoptsGroupsThatOnlyTheJournalKnowsAndGivesThemOutAgainWhole() {
        book.policy(Samples.published(1, 0, false));
        restoreAfterLosing(2);
        Admission lost = all.get(3);
        assertThat(lost.groupId()).isEqualTo("run/g1");
        book.admitted(lost);
        book.admitted(lost);
        assertThat(admit()).containsExactly("run/g1", "run/g0", "run/g2", "run/g3");
        List<Admission> again = all.stream().filter(a -> a.groupIndex() == 1).toList();
        assertThat(again).hasSize(4);
        assertThat(again.get(3)).isEqualTo(lost);
        assertThat(again.get(2).admissionId()).isEqualTo(lost.admissionId());
        assertThat(new HashSet<>(again.stream().map(Admission::attemptId).toList())).hasSize(2);
    }

    private void restoreAfterLosing(int groups) {
        AdmissionBook before = book;
        restore();
        AdmissionBook older = book;
        book = before;
        assertThat(admit()).hasSizeGreaterThanOrEqualTo(groups);
        book = older;
    }

    @Test
    void skipsAnIndexWhoseClosureComesBeforeItsAdmission() {
        book.closed(Samples.group(1, Samples.policy(1, 0), 1, 0));
        book.policy(Samples.published(1, 0, false));
        assertThat(admit()).containsExactly("run/g0", "run/g2", "run/g3");
    }

    @Test
    void theFirstClosureOfAGroupCounts() {
        book.policy(Samples.published(1, 0, false));
        admit();
        play("run/g0", 1, 1);
        play("run/g0", 1, 0);
        assertThat(book.accounts().dropped()).containsEntry("constant_reward", 1L);
    }

    @Test
    void evaluatesTheFirstVersionBeforeTrainingBegins() {
        book = Books.of(100, 2);
        book.policy(Samples.published(1, 0, false));
        assertThat(admit())
                .containsExactly("run/eval-0/0", "run/eval-0/1", "run/eval-0/2", "run/eval-0/3");
        assertThat(all.stream().map(Admission::temperature))
                .containsExactly(1.0, 1.0, 0.0, 1.0, 1.0, 0.0);
        for (int i = 0; i < 3; i++) {
            play("run/eval-0/" + i, 1, 1);
        }
        assertThat(admit()).isEmpty();
        play("run/eval-0/3", 0);
        assertThat(admit()).containsExactly("run/g0", "run/g1", "run/g2", "run/g3");
        assertThat(book.occupiedSlots()).isEqualTo(8);
    }

    @Test
    void laterRoundsUseFewSlotsAndTheLastOneAll() {
        book = Books.of(100, 2);
        book.policy(Samples.published(1, 0, false));
        admit();
        all.stream().map(Admission::groupId).distinct().toList().forEach(id -> play(id, 1, 0));
        admit();
        book.policy(Samples.published(1, 1, false));
        assertThat(admit()).isEmpty();
        book.policy(Samples.published(1, 2, false));
        assertThat(admit()).containsExactly("run/eval-2/0");
        book.policy(Samples.published(1, 3, true));
        assertThat(admit()).hasSize(3 + 4).contains("run/eval-3/3").doesNotContain("run/g4");
    }

    @Test
    void isExhaustedOnceEverythingHasAnswered() {
        book = Books.of(100, 2);
        book.policy(Samples.published(1, 3, true));
        admit();
        List<String> groups = all.stream().map(Admission::groupId).distinct().toList();
        for (String id : groups) {
            assertThat(book.exhausted()).isFalse();
            play(id, 1, 0);
        }
        assertThat(groups).hasSize(4);
        assertThat(book.exhausted()).isTrue();
        assertThat(book.passedBy(List.of("learn"))).isFalse();
        book.markDrained();
        report(ProgressRecord.Kind.DRAINED, 1, -1, 3, "");
        assertThat(book.passedBy(List.of("learn"))).isTrue();
        assertThat(book.passedBy(List.of("learn", "ledger"))).isFalse();
    }

    @Test
    void starvesAfterFourBatchesWithoutAMixedGroup() {
        book.policy(Samples.published(1, 0, false));
        for (int i = 0; i < 8; i++) {
            assertThat(book.starved()).isFalse();
            admit();
            play("run/g" + i, 0, 0);
        }
        assertThat(book.starved()).isTrue();
        admit();
        play("run/g8", 1, 0);
        assertThat(book.starved()).isFalse();
    }

    @Test
    void endsAtTheStarvationLimitAndStillMeasuresWhatWasReached() {
        book = Books.of(100, 2);
        book.policy(Samples.published(1, 0, false));
        admit();
        all.stream().map(Admission::groupId).distinct().toList().forEach(id -> play(id, 0, 0));
        book.policy(Samples.published(1, 1, false));
        for (int i = 0; i < Books.STARVATION_LIMIT * 2; i++) {
            assertThat(book.endsEarly()).isEmpty();
            admit();
            play("run/g" + i, 1, 1);
        }
        assertThat(book.endsEarly()).isEqualTo("starved");
        assertThat(admit())
                .containsExactly("run/eval-1/0", "run/eval-1/1", "run/eval-1/2", "run/eval-1/3");
        assertThat(book.exhausted()).isFalse();
        all.stream().map(Admission::groupId).distinct().toList().forEach(id -> play(id, 1, 0));
        assertThat(admit()).isEmpty();
        assertThat(book.exhausted()).isTrue();
    }

    @Test
    void holdsBackWhileTheNewestVersionIsTooFarFromAnAnnouncedFork() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 2, false));
        book.policy(Samples.announced(2, 1, 0));
        assertThat(admit()).isEmpty();
        book.policy(Samples.published(2, 0, false));
        assertThat(admit()).hasSize(4);
    }

    @Test
    void forgetsNothingWhenItIsKeptAndReadAgain() {
        book.policy(Samples.published(1, 0, false));
        admit();
        play("run/g0", 1, 1);
        play("run/g1", 1, 0);
        Accounts before = book.accounts();
        restore();
        assertThat(book.accounts()).isEqualTo(before);
        assertThat(admit()).containsExactly("run/g4");
    }

    @Test
    void namesAGroupThatContradictsItself() {
        book.policy(Samples.published(1, 0, false));
        admit();
        play("run/g1", 1, 1);
        taken(1, 1, 0);
        assertThatThrownBy(book::accounts)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("run/g1 is CONSTANT but was taken");
    }

    @Test
    void staysBalancedWhateverOrderNewsComesIn() {
        for (int seed = 0; seed < 50; seed++) {
            book = Books.of(100, 0);
            all.clear();
            minted = 0;
            book.policy(Samples.published(1, 0, false));
            admit();
            List<Runnable> news = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int index = i;
                double other = i % 2;
                news.add(() -> play("run/g" + index, 1, other));
                news.add(() -> play("run/g" + index, 1, other));
                if (i % 2 == 0) {
                    news.add(() -> taken(1, index, 0));
                    news.add(() -> taken(1, index, 0));
                }
            }
            news.add(() -> book.policy(Samples.published(1, 1, false)));
            Collections.shuffle(news, new java.util.Random(seed));
            news.forEach(Runnable::run);
            Accounts accounts = book.accounts();
            assertThat(accounts.trained()).isEqualTo(2);
            assertThat(accounts.droppedTotal()).isEqualTo(2);
            assertThat(accounts.open()).isZero();
        }
    }

    @Test
    void letsGoOfOldGroupsAndStaysBalanced() {
        book.policy(Samples.published(1, 0, false));
        admit();
        play("run/g0", 1, 1);
        play("run/g1", 1, 0);
        taken(1, 1, 0);
        book.policy(Samples.published(1, 1 + TrainingGroups.KEPT_STEPS, false));
        assertThat(book.state().groups).doesNotContainKeys("run/g0", "run/g1");
        assertThat(book.accounts().trained()).isEqualTo(1);
        assertThat(book.accounts().dropped()).containsEntry("constant_reward", 1L);
        play("run/g0", 1, 0);
        assertThat(book.accounts().offered()).isEqualTo(4);
    }
}
