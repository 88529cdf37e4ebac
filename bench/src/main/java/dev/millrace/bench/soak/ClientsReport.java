package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How several runs shared the rollout slots of their job.
 *
 * @param slots of the job
 * @param together how long all runs had work, in milliseconds
 * @param used slot-milliseconds in that time, by run
 * @param alone how long one run had work and the others were over, in milliseconds
 * @param usedAlone slot-milliseconds of that one in that time
 */
record ClientsReport(int slots, long together, Map<String, Long> used, long alone, long usedAlone) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Most that a run may differ from the mean of all. */
    private static final double MOST_DIFFERENCE = 0.1;

    /** What the one that is alone gets at least. */
    private static final double LEAST_ALONE = 0.9;

    private double mean() {
        return used.values().stream().mapToLong(Long::longValue).average().orElse(0);
    }

    /** How far the run that is furthest from the mean is away from it, as a part of the mean. */
    double difference() {
        double mean = mean();
        return used.values().stream()
                .mapToDouble(ofRun -> Math.abs(ofRun - mean) / mean)
                .max()
                .orElse(0);
    }

    /** Part of all slots that was used while all runs had work. */
    double usedTogether() {
        return mean() * used.size() / (slots * (double) together);
    }

    /** Part of all slots that the one that was alone used. */
    double shareAlone() {
        return usedAlone / (slots * (double) alone);
    }

    /** What is not as it has to be. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!(difference() <= MOST_DIFFERENCE)) {
            faults.add("a run is further than 10 % from the mean");
        }
        if (!(shareAlone() >= LEAST_ALONE)) {
            faults.add("the run that was alone had less than 90 % of the slots");
        }
        return faults;
    }

    /** Everything as one JSON object; times in real seconds. */
    String json() {
        ObjectNode all = JSON.createObjectNode();
        all.put("slots", slots).put("seconds", together / 1000);
        ObjectNode runs = all.putObject("slotSeconds");
        used.forEach((run, millis) -> runs.put(run, millis / 1000));
        all.put("mostFromMean", rounded(difference()));
        all.put("slotsUsed", rounded(usedTogether()));
        all.put("aloneSeconds", alone / 1000);
        all.put("aloneShare", rounded(shareAlone()));
        return all.toString();
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
