package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.bench.soak.Killer.Done;
import dev.millrace.bench.soak.verify.Findings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a soak says in the end.
 *
 * @param kills those carried out
 * @param recoverySeconds for each of them, until the next new update of the weights
 * @param shares how many struck at the worst moments
 * @param sharesDue whether there have to be enough of those: only some kinds can't give them
 * @param otherRegions regions that restarted though they had to be spared
 * @param findings what the verifier found
 * @param steps that the run was to make
 */
record SoakReport(
        List<Done> kills,
        List<Double> recoverySeconds,
        Shares shares,
        boolean sharesDue,
        List<String> otherRegions,
        Findings findings,
        long steps) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Promises that were broken, with the ids. */
    List<String> broken() {
        List<String> broken = new ArrayList<>();
        add(broken, "lost", findings.lost());
        add(broken, "trained twice", findings.trainedTwice());
        add(broken, "leaked", findings.leaked());
        add(broken, "lag", findings.lagViolations());
        add(broken, "steps", findings.wrongSteps());
        add(broken, "trained otherwise than said", findings.trainedOtherwise());
        add(broken, "workspace not intact", findings.notIntact());
        add(broken, "another region restarted", otherRegions);
        if (sharesDue) {
            add(broken, "too few kills at the worst moments", shares.tooFew());
        }
        if (findings.turnsRepeatedMax() > 1) {
            broken.add(
                    "turns repeated: "
                            + findings.turnsRepeatedMax()
                            + " of one attempt at one kill");
        }
        return broken;
    }

    /** What can be said of a run that does not go on. */
    static String stuck(List<Done> kills, String why) {
        ObjectNode all = JSON.createObjectNode();
        ObjectNode byKind = all.putObject("kills");
        kills.forEach(
                kill -> {
                    String kind = kill.kind().label();
                    byKind.put(kind, byKind.path(kind).asInt() + 1);
                });
        return all.put("stuck", why).toString();
    }

    /** Everything as one JSON object. */
    String json() {
        ObjectNode all = JSON.createObjectNode();
        ObjectNode byKind = all.putObject("kills");
        Map<String, List<Double>> recoveries = new TreeMap<>();
        for (int i = 0; i < kills.size(); i++) {
            String kind = kills.get(i).kind().label();
            byKind.put(kind, byKind.path(kind).asInt() + 1);
            recoveries.computeIfAbsent(kind, k -> new ArrayList<>()).add(recoverySeconds.get(i));
        }
        all.put("killsDuringCheckpoint", shares.duringCheckpoint());
        all.put("killsBeforeRecovered", shares.beforeRecovered());
        all.put("steps", findings.steps());
        all.put("lost", findings.lost().size());
        all.put("trainedTwice", findings.trainedTwice().size());
        all.put("leaked", findings.leaked().size());
        all.put("lagViolations", findings.lagViolations().size());
        all.put("turnsRepeated", findings.turnsRepeated());
        all.put("turnsRepeatedMaxPerAttemptAndKill", findings.turnsRepeatedMax());
        all.put("commandsReplayed", findings.commandsReplayed());
        all.put("trainedOtherwise", findings.trainedOtherwise().size());
        all.put("workspacesNotIntact", findings.notIntact().size());
        ObjectNode seconds = all.putObject("recoverySeconds");
        recoveries.forEach(
                (kind, values) -> {
                    List<Double> sorted =
                            new ArrayList<>(values.stream().filter(Double::isFinite).toList());
                    Collections.sort(sorted);
                    if (!sorted.isEmpty()) {
                        seconds.putObject(kind)
                                .put("p50", sorted.get((sorted.size() - 1) / 2))
                                .put("max", sorted.get(sorted.size() - 1));
                    }
                });
        all.put("restartsOfOtherRegion", otherRegions.size());
        return all.toString();
    }

    private static void add(List<String> broken, String promise, List<String> ids) {
        if (!ids.isEmpty()) {
            broken.add(promise + ": " + String.join("; ", ids));
        }
    }
}
