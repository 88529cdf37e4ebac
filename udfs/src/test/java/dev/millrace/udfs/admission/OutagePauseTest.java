package dev.millrace.udfs.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Infrastructure that is away: groups of 2, at most 4 open, starved after 10 without a mixed one.
 */
class OutagePauseTest {
    private static final Failure LOST =
            new Failure(FailureClass.INFRA, "sandbox_create_failed", "no");
    private static final Failure SILENT =
            new Failure(FailureClass.VERIFIER, "reward_missing", "no file");
    private static final int MINUTES = 75;

    private final BookEntries kept = new BookEntries();
    private AdmissionBook book = Books.of(100, 0);
    private long now = 1_000;
    private int minted;
    private int begun;

    private List<Admission> admit() {
        book.at(now);
        List<Admission> first =
                book.admit(() -> "adm-" + minted++).stream()
                        .filter(attempt -> attempt.attemptIndex() == 0)
                        .toList();
        begun += first.size();
        return first;
    }

    private void close(Admission first, Failure... failures) {
        List<AttemptSummary> attempts =
                IntStream.range(0, failures.length)
                        .mapToObj(i -> attempt(first, i, failures[i]))
                        .toList();
        book.at(now);
        book.closed(
                new GroupRecord(
                        first.runId(),
                        false,
                        Lane.TRAIN,
                        first.groupId(),
                        first.groupIndex(),
                        first.admissionId(),
                        first.task(),
                        first.policy(),
                        "",
                        false,
                        failures[0] == null ? Verdict.CONSTANT : Verdict.FAILED,
                        failures[0] == null ? "constant_reward" : "too_few_valid",
                        0,
                        attempts));
    }

    private static AttemptSummary attempt(Admission first, int index, Failure failure) {
        return new AttemptSummary(
                Admission.attemptId(first.groupId(), index),
                index,
                failure == null ? Outcome.SUBMITTED : Outcome.LOST,
                failure == null,
                0,
                failure,
                List.of(),
                null,
                1,
                1,
                1,
                first.policy().version(),
                1,
                1,
                1);
    }

    private void begin() {
        book.policy(Samples.published(1, 0, false));
    }

    /** All attempts are lost at once, for so long; gives when groups began. */
    private List<Long> outage(int minutes) {
        List<Long> begins = new ArrayList<>();
        long end = now + minutes * 60_000L;
        while (now < end) {
            for (Admission first : admit()) {
                begins.add(now);
                close(first, LOST, LOST);
            }
            now = book.resumesAt().orElse(now + 100);
        }
        return begins;
    }

    @Test
    void anOutageOfMoreThanAnHourCostsFewGroupsAndEndsNoRun() {
        begin();
        List<Long> begins = outage(MINUTES);
        assertThat(begins).as("some at once, then about one a minute").hasSizeBetween(70, 95);
        assertThat(book.endsEarly()).isEmpty();
        assertThat(book.starved()).isFalse();
        assertThat(book.takeOutage()).contains("sandbox_create_failed");
        assertThat(book.takeOutage()).as("said once").isEmpty();
    }

    @Test
    void whenItIsBackTheRunGoesOnAsBefore() {
        begin();
        outage(10);
        List<Admission> probe = admit();
        assertThat(probe).as("one is tried").hasSize(1);
        assertThat(admit()).as("until it is known").isEmpty();
        close(probe.get(0), null, null);
        assertThat(book.infrastructureAway()).isFalse();
        assertThat(admit()).hasSize(4);
    }

    @Test
    void itIsKeptAcrossARestart() {
        begin();
        outage(10);
        kept.write(book.state());
        long resumes = now;
        book = new AdmissionBook(Books.settings(100, 0), kept.read());
        now = resumes - 1;
        assertThat(admit()).isEmpty();
        now = resumes;
        assertThat(admit()).hasSize(1);
    }

    @Test
    void groupsThatOtherAttemptsGotThroughInAreNoOutage() {
        begin();
        for (int i = 0; i < 8; i++) {
            for (Admission first : admit()) {
                close(first, LOST, null);
            }
        }
        assertThat(book.infrastructureAway()).isFalse();
        assertThat(begun).isGreaterThan(20);
    }

    @Test
    void verifiersThatGiveNoVerdictAreNoOutageAndStarveTheRun() {
        begin();
        for (int i = 0; i < 8; i++) {
            for (Admission first : admit()) {
                close(first, SILENT, SILENT);
            }
        }
        assertThat(book.infrastructureAway()).isFalse();
        assertThat(book.endsEarly()).isEqualTo(GroupRecord.STARVED);
    }
}
