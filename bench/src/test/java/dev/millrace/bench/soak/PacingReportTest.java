package dev.millrace.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.soak.PacingReport.Published;
import dev.millrace.bench.soak.verify.Evidence.Journaled;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacingReportTest {
    private final List<Published> published =
            List.of(
                    published(1, 1_000, 900),
                    published(2, 4_000, 2_990),
                    published(3, 9_000, 5_000));

    private final List<GroupRecord> groups =
            List.of(
                    group(Lane.TRAIN, "g0", Verdict.MIXED),
                    group(Lane.TRAIN, "g1", Verdict.CONSTANT),
                    group(Lane.EVAL, "e0", Verdict.MIXED),
                    group(Lane.TRAIN, "g0", Verdict.CONSTANT),
                    group(Lane.TRAIN, "g2", Verdict.MIXED),
                    group(Lane.TRAIN, "g3", Verdict.MIXED),
                    GroupRecord.drained("run", ""));

    @Test
    void countsEachGroupOnceByItsFirstRecordAndOnlyThoseOfTraining() {
        PacingReport report = report(List.of());
        assertThat(report.groups()).isEqualTo(4);
        assertThat(report.mixed()).isEqualTo(3);
    }

    @Test
    void countsWhatWasTooOldOnceAndNothingElseThatWasDropped() {
        PacingReport report = report(List.of());
        assertThat(report.stale()).isEqualTo(1);
        assertThat(report.staleShare()).isEqualTo(0.25);
    }

    @Test
    void aVersionIsSeenWithItsFirstAdmissionOrNotAtAll() throws Exception {
        PacingReport report =
                report(List.of(admitted(1, 1_700), admitted(1, 1_250), admitted(2, 4_020)));
        assertThat(report.visibleMillis()).containsExactly(20L, 250L);
        var json = new ObjectMapper().readTree(report.json()).path("publishedToAdmittedSeconds");
        assertThat(json.path("n").asInt()).isEqualTo(2);
        assertThat(json.path("max").asDouble()).isEqualTo(0.25);
    }

    @Test
    void timeIsThatBetweenPublications() {
        PacingReport report = report(List.of());
        assertThat(report.wallMillis()).isEqualTo(8_000);
        assertThat(report.accountedMillis()).isEqualTo(7_990);
    }

    private PacingReport report(List<Journaled> events) {
        return PacingReport.of(
                published,
                events,
                groups,
                List.of(dropped("g2", "stale"), dropped("g2", "stale"), dropped("g3", "surplus")));
    }

    private static Published published(long step, long at, long accounted) {
        return new Published(new PolicyVersion(1, step), at, accounted);
    }

    private static Journaled admitted(long step, long at) {
        Admission admission =
                new Admission(
                        "run",
                        Lane.TRAIN,
                        "g0",
                        0,
                        "x",
                        1,
                        0,
                        "r",
                        null,
                        new PolicyRef(new PolicyVersion(1, step), ""),
                        1,
                        0,
                        "",
                        null);
        StepEvent event =
                StepEvent.of(
                        "rollout", "r", "a0", "x", StepEvent.ADMIT, StepEvent.Kind.ADMITTED, 0);
        return new Journaled(event.with(admission), at);
    }

    private static GroupRecord group(Lane lane, String id, Verdict verdict) {
        return new GroupRecord(
                "run", false, lane, id, 0, "x", null, null, "", false, verdict, "", 0, List.of());
    }

    private static ProgressRecord dropped(String groupId, String cause) {
        return new ProgressRecord(
                "run", ProgressRecord.Kind.DROPPED, "learn", 1, groupId, 0, 0, cause);
    }
}
