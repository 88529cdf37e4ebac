package dev.millrace.bench.soak.verify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.bench.sim.LeaseName;
import dev.millrace.udfs.model.StepEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Commands that ran more than once. One that ran again after its outcome was in the journal rebuilt
 * a sandbox; one that ran again before that is a turn that was repeated.
 *
 * @param repeated turns that were repeated
 * @param most of them for one attempt and one kill
 * @param replayed commands that rebuilt a sandbox
 */
record RepeatedCommands(long repeated, long most, long replayed) {

    static RepeatedCommands of(Evidence evidence) {
        Map<String, Long> journaled = new HashMap<>();
        for (Evidence.Journaled each : evidence.events()) {
            StepEvent event = each.event();
            if (event.kind() == StepEvent.Kind.EXECUTED) {
                journaled.merge(
                        key(event.itemId(), event.admissionId(), event.effectId()),
                        each.at(),
                        Math::min);
            }
        }
        Set<String> ran = new HashSet<>();
        Map<String, Long> byAttemptAndKill = new HashMap<>();
        long replayed = 0;
        for (JsonNode line : evidence.sandboxes()) {
            boolean command =
                    line.path("op").asText().equals("exec")
                            && !line.path("command").asText().equals("grade");
            LeaseName lease = LeaseName.of(line.path("lease").asText());
            String effect = line.path("effect").asText();
            String key = key(lease.attemptId(), lease.admission(), effect);
            if (!command || ran.add(key)) {
                continue;
            }
            long at = line.path("at").asLong();
            if (journaled.getOrDefault(key, Long.MAX_VALUE) <= at) {
                replayed++;
            } else {
                String scope = lease.attemptId() + " " + killsBefore(evidence.kills(), at);
                byAttemptAndKill.merge(scope, 1L, Long::sum);
            }
        }
        return new RepeatedCommands(
                byAttemptAndKill.values().stream().mapToLong(Long::longValue).sum(),
                byAttemptAndKill.values().stream().mapToLong(Long::longValue).max().orElse(0),
                replayed);
    }

    private static long killsBefore(List<Long> kills, long at) {
        return kills.stream().filter(kill -> kill <= at).count();
    }

    private static String key(String attempt, String admission, String effect) {
        return attempt + " " + admission + " " + effect;
    }
}
