package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a book keeps over a long run, and how it takes an ending back. */
class AdmissionBookLongRunTest {
    private static final int MANY = 20_000;
    private final List<Admission> all = new ArrayList<>();
    private int minted;
    private AdmissionBook book = Books.of(100, 0);

    private Set<String> admit() {
        List<Admission> admitted = book.admit(() -> "adm-" + minted++);
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

    private void drained() {
        book.progress(
                new ProgressRecord(
                        Samples.RUN, ProgressRecord.Kind.DRAINED, "learn", 1, "", -1, 3, ""));
    }

    @Test
    void onlyWhatHasChangedIsToBeWritten() {
        BookEntries entries = new BookEntries();
        for (int i = 0; i < 3_000; i++) {
            book.task(Samples.task("more" + i, Split.TRAIN));
        }
        book.policy(Samples.published(1, 0, false));
        admit();
        assertThat(entries.write(book.state())).isEqualTo(3_000 + 5 + 2 + 4);
        admit();
        assertThat(entries.write(book.state())).as("nothing happened").isZero();
        play("run/g0", 1, 0);
        assertThat(entries.write(book.state())).isEqualTo(1);
        play("run/g0", 1, 0);
        assertThat(entries.write(book.state())).as("heard before").isZero();
        play("run/g1", 1, 1);
        assertThat(admit()).containsExactly("run/g4");
        assertThat(entries.write(book.state())).isEqualTo(2);
    }

    @Test
    void whatIsKeptStaysFlatOverManyGroups() {
        AdmissionSettings endless =
                new AdmissionSettings(
                        Samples.RUN,
                        42,
                        2,
                        2,
                        3,
                        1,
                        0,
                        100,
                        2,
                        0,
                        2,
                        1,
                        Samples.budget(),
                        List.of("r0"),
                        false);
        book = new AdmissionBook(endless, new AdmissionState());
        book.task(Samples.task("t", Split.TRAIN));
        book.policy(Samples.published(1, 0, false));
        int most = 0;
        for (int i = 0; i < MANY; i++) {
            all.clear();
            admit();
            book.closed(Samples.group(i, Samples.policy(1, 0), 1, 1));
            for (int attempt = 0; attempt < 2; attempt++) {
                String id = Admission.attemptId("run/g" + i, attempt);
                String admission = book.state().groups.containsKey("run/g" + i) ? "adm-" + i : "";
                book.ended(
                        StepEvent.of(
                                "rollout", "r0", id, admission, "x", StepEvent.Kind.CAPTURED, 0));
            }
            most = Math.max(most, book.state().groups.size());
            book.state().takeChanges();
        }
        assertThat(most).isLessThan(10);
        assertThat(book.accounts().dropped()).containsEntry("constant_reward", (long) MANY);
    }

    @Test
    void anEvaluationThatIsDueGetsTheNextSlotThoughTrainingHoldsAll() {
        book = Books.of(8, 2);
        book.policy(Samples.published(1, 0, false));
        admit();
        List.copyOf(all).stream().map(Admission::groupId).distinct().forEach(id -> play(id, 1, 0));
        admit();
        assertThat(book.occupiedSlots()).as("training holds every slot").isEqualTo(8);
        book.policy(Samples.published(1, 2, false));
        assertThat(admit()).isEmpty();
        play("run/g0", 1, 1);
        assertThat(admit().iterator().next()).isEqualTo("run/eval-2/0");
    }

    @Test
    void aRoundStaysAtItsVersionWhateverIsPublishedMeanwhile() {
        book = Books.of(3, 1);
        book.policy(Samples.published(1, 0, false));
        admit();
        book.policy(Samples.published(1, 1, false));
        book.policy(Samples.published(1, 2, false));
        for (int position = 0; position < 4; position++) {
            play("run/eval-0/" + position, 1, 1);
            admit();
        }
        assertThat(all.stream().filter(a -> a.evalRound().equals("eval-0")))
                .hasSize(6)
                .allSatisfy(
                        a -> assertThat(a.policy().version()).isEqualTo(new PolicyVersion(1, 0)));
        assertThat(all.stream().filter(a -> a.lane() == Lane.EVAL).map(Admission::evalRound))
                .contains("eval-1");
    }

    @Test
    void aTrainerThatComesBackTakesTheEndBackUntilItIsThereAgain() {
        book.policy(Samples.announced(1, 0, 0));
        book.policy(Samples.published(1, 3, true));
        admit();
        assertThat(book.exhausted()).isTrue();
        book.markDrained();
        drained();
        assertThat(book.passedBy(List.of("learn"))).isTrue();

        book.policy(Samples.announced(2, 1, 1));
        assertThat(book.drained()).isFalse();
        assertThat(book.exhausted()).isFalse();
        drained();
        assertThat(book.passedBy(List.of("learn"))).as("an answer to the earlier mark").isFalse();
        assertThat(admit()).as("nothing can be played with what was left behind").isEmpty();

        book.policy(Samples.published(2, 1, false));
        assertThat(admit()).as("two steps are left").hasSize(4);
        for (String group : List.of("run/g0", "run/g1", "run/g2", "run/g3")) {
            play(group, 1, 0);
        }
        book.policy(Samples.published(2, 3, true));
        assertThat(book.exhausted()).isTrue();
    }
}
