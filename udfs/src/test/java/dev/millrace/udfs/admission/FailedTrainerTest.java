package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.StepEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that its trainer gives up. */
class FailedTrainerTest {
    private final AdmissionBook book = Books.of(4, 1);
    private final List<Admission> admitted = new ArrayList<>();
    private int minted;

    private void admit() {
        admitted.addAll(book.admit(() -> "adm-" + minted++));
    }

    private void fail(long epoch) {
        book.policy(PolicyRecord.failed(Samples.RUN, epoch, 0, 0, "n", "the loss is NaN"));
    }

    private void end(Admission attempt) {
        book.ended(
                StepEvent.of(
                        "rollout",
                        attempt.route(),
                        attempt.attemptId(),
                        attempt.admissionId(),
                        "x",
                        StepEvent.Kind.CAPTURED,
                        0));
    }

    /** Ends all attempts and closes their groups. */
    private void close() {
        for (Admission first : admitted) {
            end(first);
            if (first.attemptIndex() == 0) {
                double[] rewards = first.groupSize() == 1 ? new double[] {1} : new double[] {0, 1};
                book.closed(
                        Samples.closed(
                                first.lane(),
                                first.groupId(),
                                first.groupIndex(),
                                first.admissionId(),
                                first.evalRound(),
                                first.policy(),
                                rewards));
            }
        }
        admitted.clear();
    }

    @Test
    void endsWithoutAVersionToo() {
        fail(1);
        assertThat(book.exhausted()).isTrue();
        assertThat(book.endsEarly()).isEqualTo("trainer_failed");
        assertThat(book.newestRef()).isNull();
    }

    @Test
    void beginsNothingMoreAndDropsWhatWaits() {
        book.policy(Samples.published(1, 0, false));
        while (book.accounts().offered() == 0) {
            admit();
            close();
        }
        admit();
        fail(1);
        assertThat(book.exhausted()).as("attempts are open").isFalse();
        close();
        admit();
        assertThat(admitted).isEmpty();
        assertThat(book.exhausted()).isTrue();
        Accounts accounts = book.accounts();
        assertThat(accounts.open()).isZero();
        assertThat(accounts.dropped()).isEqualTo(Map.of("trainer_failed", accounts.offered()));
    }

    @Test
    void theWordOfATrainerThatWasReplacedCountsForNothing() {
        book.policy(Samples.published(1, 0, false));
        book.policy(
                new PolicyRecord(
                        Samples.RUN,
                        PolicyRecord.Kind.ANNOUNCE,
                        2,
                        0,
                        1,
                        "m",
                        "",
                        false,
                        Map.of()));
        fail(1);
        assertThat(book.endsEarly()).isEmpty();
        fail(2);
        assertThat(book.endsEarly()).isEqualTo("trainer_failed");
    }
}
