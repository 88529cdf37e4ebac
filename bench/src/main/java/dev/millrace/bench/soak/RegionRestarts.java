package dev.millrace.bench.soak;

import dev.millrace.jobs.cluster.ClusterJob;
import dev.millrace.jobs.cluster.JobManagerAway;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How often each region of a job was restarted, by the attempt numbers of its sources. */
final class RegionRestarts {
    private static final List<String> REGIONS = List.of("rollout", "learn", "ledger");
    private final String jobId;
    private final Map<String, Integer> attempts;

    private RegionRestarts(String jobId, Map<String, Integer> attempts) {
        this.jobId = jobId;
        this.attempts = attempts;
    }

    static Optional<RegionRestarts> of(ClusterJob job) {
        try {
            Map<String, Integer> attempts = new HashMap<>();
            job.restarts()
                    .forEach(
                            (operator, subtasks) -> {
                                for (String region : REGIONS) {
                                    if (operator.contains("(" + region + ")")
                                            && !subtasks.isEmpty()) {
                                        attempts.merge(
                                                region, Collections.max(subtasks), Math::max);
                                    }
                                }
                            });
            return Optional.of(new RegionRestarts(job.jobId(), attempts));
        } catch (JobManagerAway e) {
            return Optional.empty();
        }
    }

    /** Regions that were restarted since, though a kill of that kind must spare them. */
    List<String> wronglySince(RegionRestarts before, KillKind kind) {
        if (kind.mayRestart() == KillKind.Region.ANY || !jobId.equals(before.jobId)) {
            return List.of();
        }
        String may =
                switch (kind.mayRestart()) {
                    case ROLLOUT -> "rollout";
                    case LEARN -> "learn";
                    default -> "";
                };
        return REGIONS.stream()
                .filter(region -> !region.equals(may))
                .filter(
                        region ->
                                attempts.getOrDefault(region, 0)
                                        > before.attempts.getOrDefault(region, 0))
                .toList();
    }
}
