package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.bench.soak.verify.Evidence.Journaled;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How well a run without failures was paced: whether what it plays is still fresh when it is
 * trained on, and how soon a new version is played with.
 *
 * @param groups closed groups of the training lane
 * @param mixed those of them that could be trained on
 * @param stale those of the mixed ones that were too old when their turn came
 * @param visibleMillis for each version that a group was admitted under: from its publication to
 *     the first of those admissions
 * @param wallMillis between publications
 * @param accountedMillis what the trainer says that it did in that time
 */
record PacingReport(
        long groups,
        long mixed,
        long stale,
        List<Long> visibleMillis,
        long wallMillis,
        long accountedMillis) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STALE = "stale";

    /**
     * Something and when it was written.
     *
     * @param version that is published
     * @param at milliseconds since 1970
     * @param accountedMillis what the trainer did since the last publication, in all
     */
    record Published(PolicyVersion version, long at, long accountedMillis) {}

    /** Reads the report off the topics of a run, each in its order. */
    static PacingReport of(
            List<Published> published,
            List<Journaled> events,
            List<GroupRecord> groups,
            List<ProgressRecord> progress) {
        Set<String> mixed = new HashSet<>();
        Set<String> closed = new HashSet<>();
        for (GroupRecord group : groups) {
            if (!group.drained() && group.lane() == Lane.TRAIN && closed.add(group.groupId())) {
                if (group.verdict() == Verdict.MIXED) {
                    mixed.add(group.groupId());
                }
            }
        }
        Set<String> stale = new HashSet<>();
        for (ProgressRecord line : progress) {
            if (line.kind() == ProgressRecord.Kind.DROPPED && line.cause().equals(STALE)) {
                stale.add(line.groupId());
            }
        }
        long wall = 0;
        long accounted = 0;
        for (int i = 1; i < published.size(); i++) {
            wall += published.get(i).at() - published.get(i - 1).at();
            accounted += published.get(i).accountedMillis();
        }
        return new PacingReport(
                closed.size(),
                mixed.size(),
                stale.size(),
                visible(published, events),
                wall,
                accounted);
    }

    private static List<Long> visible(List<Published> published, List<Journaled> events) {
        Map<PolicyVersion, Long> first = new HashMap<>();
        for (Journaled each : events) {
            StepEvent event = each.event();
            if (event.kind() == StepEvent.Kind.ADMITTED && event.admission() != null) {
                first.merge(event.admission().policy().version(), each.at(), Math::min);
            }
        }
        List<Long> visible = new ArrayList<>();
        for (Published each : published) {
            Long admitted = first.get(each.version());
            if (admitted != null) {
                visible.add(admitted - each.at());
            }
        }
        Collections.sort(visible);
        return visible;
    }

    /** Share of the closed groups that were played for nothing since they got too old. */
    double staleShare() {
        return groups == 0 ? 0 : (double) stale / groups;
    }

    /** Everything as one JSON object; times in real seconds. */
    String json() {
        ObjectNode all = JSON.createObjectNode();
        all.put("groups", groups).put("mixed", mixed).put("stale", stale);
        all.put("staleShare", Math.round(staleShare() * 10_000) / 10_000.0);
        ObjectNode seen = all.putObject("publishedToAdmittedSeconds");
        seen.put("n", visibleMillis.size());
        if (!visibleMillis.isEmpty()) {
            seen.put("p50", visibleMillis.get((visibleMillis.size() - 1) / 2) / 1000.0);
            seen.put("max", visibleMillis.get(visibleMillis.size() - 1) / 1000.0);
        }
        all.put("secondsBetweenPublications", wallMillis / 1000.0);
        all.put("secondsAccountedFor", accountedMillis / 1000.0);
        return all.toString();
    }
}
